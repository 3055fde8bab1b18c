import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import type { TrashRow } from '@mokuroku/contract/trash'
import type { EntityDefinition, Label } from './definition.ts'
import { definitionOf } from './registry.ts'

type Translations<Field extends string> = Record<string, Record<Field, string>>

export type Titles = Pick<TrashRow, 'title' | 'translations'>

/** A text in English, else in any language that has it, else `otherwise` (docs/behaviour.md#languages). */
export const titleOf = <Field extends string>(
  translations: Translations<Field>,
  field: Field,
  otherwise = '',
): string => translations.en?.[field] || Object.values(translations).find((texts) => texts[field])?.[field] || otherwise

/**
 * The title and the labels of a kind with texts. Labels are its original title, aliases and readings under '', and its
 * title in every language.
 */
export function titled(kind: Kind) {
  const { title = '', original = '', aliases = '', readings = '' } = kindOf(kind).texts ?? {}
  const originalOf = (fields: Document) => (fields[original] as string | undefined) ?? ''
  const translationsOf = (fields: Document) => fields.translations as Translations<string>
  const listOf = (fields: Document, name: string) => (fields[name] ?? []) as string[]
  return {
    title: (fields: Document): string => titleOf(translationsOf(fields), title, originalOf(fields)),
    labels: (fields: Document): Label[] => {
      const names = [
        { language: '', text: originalOf(fields) },
        ...Object.entries(translationsOf(fields)).map(([language, texts]) => ({ language, text: texts[title] ?? '' })),
        ...listOf(fields, aliases).map((text) => ({ language: '', text })),
      ]
      const given = listOf(fields, readings)
      if (given.length === 0) return names
      const read = given.map((text) => ({ language: '', text }))
      return [...names, ...read].map((label) => ({ ...label, isRead: true }))
    },
  }
}

/** What lists of several kinds call an entity: its title, and its titles by language if its kind has texts. */
export function titlesOf(kind: Kind, fields: Document): Titles {
  const { title } = kindOf(kind).texts ?? {}
  if (!title) return { title: definitionOf(kind).title(fields) }
  const translations = Object.entries(fields.translations as Translations<string>)
  return {
    title: titled(kind).title(fields),
    translations: Object.fromEntries(translations.map(([language, texts]) => [language, { name: texts[title] ?? '' }])),
  }
}

/** The texts that search finds an entity by. */
export const labelsOf = <Fields extends Document>({ labels }: EntityDefinition<Fields>, fields: Fields): Label[] =>
  labels ? labels(fields).filter(({ text }) => text.trim()) : []

/** The texts of a language without any text, by field; empty for kinds without texts. */
export const emptyTexts = (kind: Kind): Record<string, string> =>
  Object.fromEntries((kindOf(kind).texts?.fields ?? []).map((name) => [name, '']))

/** Fills in missing texts of each language as empty, in case only some of them were taken back. */
export function withAllTexts(kind: Kind, fields: Document): Document {
  if (!kindOf(kind).texts) return fields
  const empty = emptyTexts(kind)
  const texts = Object.entries(fields.translations as Record<string, Document>)
  return { ...fields, translations: Object.fromEntries(texts.map(([tag, given]) => [tag, { ...empty, ...given }])) }
}
