import { isDeepStrictEqual } from 'node:util'
import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import type { Tables } from '#database/tables.ts'
import type { Label } from '#ledger/definition.ts'
import { turns } from '#lib/turns.ts'
import { lengthOf } from './chars.ts'
import { compact, labelVariants } from './fold.ts'
import { grams, lengthToken } from './grams.ts'
import { needsReading, type ReadLabel } from './readings.ts'

/** A row of the index before it has an id. */
export type NewLabel = Omit<Tables['labels'], 'id'>

/** The prefix of every token of a kind, so that a tag is not searched among a million titles. */
export const kindPrefix = (kind: Kind): string => kindOf(kind).searchLetter ?? ''

/**
 * The index rows for the labels of an entity, in all spelling variants. Every language has its own rows, since lists
 * use them to find what has a title in a language. (A title of invisible characters only has an empty `compact` form,
 * which no search finds.) The original only has rows for variants that no language has; addresses are no language, since
 * not everybody may search them.
 */
export async function rowsOf(kind: Kind, entityId: string, labels: ReadLabel[]): Promise<NewLabel[]> {
  const turn = turns()
  const rows = new Map<string, NewLabel>()
  const known = new Set<string>()
  const original = labels.filter(({ language }) => language === '')
  for (const { language, text, reading } of [...labels.filter((label) => label.language !== ''), ...original]) {
    await turn()
    const read = reading ? [reading.written, ...(reading.spoken === reading.written ? [] : [reading.spoken])] : []
    for (const folded of [text, ...read].flatMap(labelVariants).map(compact)) {
      const key = `${language} ${folded}`
      if (rows.has(key) || (language === '' && (folded === '' || known.has(folded)))) continue
      rows.set(key, { kind, entityId, language, text, compact: folded })
      if (language !== 'email') known.add(folded)
    }
  }
  return [...rows.values()]
}

/**
 * The languages whose rows change with an entity's labels, and the new labels in these languages. Undefined if an
 * original or an alias may have rows of its own, since those depend on the rows of all languages.
 */
export function changedLabels(before: Label[], after: Label[]): { languages: string[]; labels: Label[] } | undefined {
  const [old, next] = [before, after].map((labels) => Map.groupBy(labels, ({ language }) => language))
  const languages = [...new Set([...before, ...after].map(({ language }) => language))].filter(
    (language) => !isDeepStrictEqual(old?.get(language), next?.get(language)),
  )
  const isChanged = ({ language }: Label) => languages.includes(language)
  const kept = after.filter((label) => !['', 'email'].includes(label.language) && !isChanged(label))
  const hasRowsOf = (label: Label) =>
    kept.some((each) => each.text === label.text && (needsReading(each) || !needsReading(label)))
  if (!after.filter(({ language }) => language === '').every(hasRowsOf)) return undefined
  return { languages, labels: after.filter((label) => label.language !== '' && isChanged(label)) }
}

/** Identifies a label within an entity. */
export const keyOf = ({ language, text, compact: folded }: NewLabel): string => JSON.stringify([language, text, folded])

/** The tokens by which a label is indexed. */
export function indexTokens({ kind, compact: folded }: NewLabel): string[] {
  return [...grams(folded), lengthToken(lengthOf(folded))].map((token) => kindPrefix(kind) + token)
}
