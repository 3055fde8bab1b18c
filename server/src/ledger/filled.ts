import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import type { Transaction } from '#database/db.ts'
import { bump } from './counters.ts'
import type { Derivation } from './findingRows.ts'

/** Counts the languages that entities of one kind came to be named in, or are not any more. */
export function countLanguages(tx: Transaction, kind: Kind, changes: Derivation[]): void {
  for (const { before, after } of changes) {
    const [was, is] = [filledIn(kind, before), filledIn(kind, after)]
    for (const tag of was) if (!is.has(tag)) bump(tx, filledCounter(kind, tag), -1)
    for (const tag of is) if (!was.has(tag)) bump(tx, filledCounter(kind, tag), 1)
  }
}

/** Where the number of entities is kept that have a title or name in a language, or in what is narrower. */
export const filledCounter = (kind: Kind, tag: string): string => `filledCount.${kind}.${tag}`

/** The languages that an entity has a title or name in, each with the wider ones: `zh-Hant` and `zh` of `zh-Hant`. */
export function filledIn(kind: Kind, document: Document | undefined): Set<string> {
  const { texts } = kindOf(kind)
  const translations = (texts && document?.translations) as Record<string, Record<string, string>> | undefined
  return new Set(
    Object.entries(translations ?? {})
      .filter(([, text]) => (text[texts?.title ?? ''] ?? '').trim() !== '')
      .flatMap(([tag]) => tag.split('-').map((_, at, parts) => parts.slice(0, at + 1).join('-'))),
  )
}
