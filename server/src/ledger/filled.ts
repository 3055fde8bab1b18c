import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import type { Transaction } from '#database/db.ts'
import { incrementCounter } from './counters.ts'
import type { Derivation } from './findingRows.ts'

/** Counts the languages in which entities of one kind have gained or lost a title or name. */
export function countLanguages(tx: Transaction, kind: Kind, changes: Derivation[]): void {
  for (const { before, after } of changes) {
    const [was, is] = [filledIn(kind, before), filledIn(kind, after)]
    for (const tag of was) if (!is.has(tag)) incrementCounter(tx, filledCounter(kind, tag), -1)
    for (const tag of is) if (!was.has(tag)) incrementCounter(tx, filledCounter(kind, tag), 1)
  }
}

/**
 * The name of the counter for the entities with a title or name in a language, or in a narrower one such as `zh-Hant`
 * for `zh`.
 */
export const filledCounter = (kind: Kind, tag: string): string => `filledCount.${kind}.${tag}`

/** The languages in which an entity has a title or name, each with its broader ones: `zh-Hant` includes `zh`. */
export function filledIn(kind: Kind, document: Document | undefined): Set<string> {
  const { texts } = kindOf(kind)
  const translations = (texts && document?.translations) as Record<string, Record<string, string>> | undefined
  return new Set(
    Object.entries(translations ?? {})
      .filter(([, text]) => (text[texts?.title ?? ''] ?? '').trim() !== '')
      .flatMap(([tag]) => tag.split('-').map((_, at, parts) => parts.slice(0, at + 1).join('-'))),
  )
}
