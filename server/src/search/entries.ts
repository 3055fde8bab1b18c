import { isDeepStrictEqual } from 'node:util'
import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import type { Tables } from '#database/tables.ts'
import type { Label } from '#ledger/definition.ts'
import { lengthOf } from './chars.ts'
import { compact, variants } from './fold.ts'
import { grams, lengthToken } from './grams.ts'
import { isToBeRead, type ReadLabel } from './readings.ts'

/** A row of the index before it has a number. */
export type NewLabel = Omit<Tables['labels'], 'id'>

/** What every token of a kind begins with, so that a tag is not sought among a million titles. */
export const kindPrefix = (kind: Kind): string => kindOf(kind).searchLetter ?? ''

/**
 * The labels of an entity in all their variants: those of each language, by which lists know what has a title in it (a
 * title of signs alone is an empty label, which no search finds), and of the original those that no language has.
 */
export function rowsOf(kind: Kind, entityId: string, labels: ReadLabel[]): NewLabel[] {
  const rows = new Map<string, NewLabel>()
  const known = new Set<string>()
  const original = labels.filter(({ language }) => language === '')
  for (const { language, text, reading } of [...labels.filter((label) => label.language !== ''), ...original]) {
    const read = reading ? [reading.written, ...(reading.spoken === reading.written ? [] : [reading.spoken])] : []
    for (const folded of [text, ...read].flatMap(variants).map(compact)) {
      const key = `${language} ${folded}`
      if (rows.has(key) || (language === '' && (folded === '' || known.has(folded)))) continue
      rows.set(key, { kind, entityId, language, text, compact: folded })
      known.add(folded)
    }
  }
  return [...rows.values()]
}

/**
 * The languages whose rows are others when the labels of an entity change, and the labels that these rows are made of.
 * Undefined where an original, or an alias, may have rows of its own: they depend on the rows of all languages.
 */
export function changedLabels(before: Label[], after: Label[]): { languages: string[]; labels: Label[] } | undefined {
  const [old, next] = [before, after].map((labels) => Map.groupBy(labels, ({ language }) => language))
  const languages = [...new Set([...before, ...after].map(({ language }) => language))].filter(
    (language) => !isDeepStrictEqual(old?.get(language), next?.get(language)),
  )
  const isChanged = ({ language }: Label) => languages.includes(language)
  const kept = after.filter((label) => label.language !== '' && !isChanged(label))
  const hasRowsOf = (label: Label) =>
    kept.some((each) => each.text === label.text && (isToBeRead(each) || !isToBeRead(label)))
  if (!after.filter(({ language }) => language === '').every(hasRowsOf)) return undefined
  return { languages, labels: after.filter((label) => label.language !== '' && isChanged(label)) }
}

/** What tells two labels of one entity apart. */
export const keyOf = ({ language, text, compact: folded }: NewLabel): string => JSON.stringify([language, text, folded])

/** What a label is found by. */
export function indexTokens({ kind, compact: folded }: NewLabel): string[] {
  return [...grams(folded), lengthToken(lengthOf(folded))].map((token) => kindPrefix(kind) + token)
}
