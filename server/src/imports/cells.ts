// Converts the cells of a row into field values.
import type { FieldError } from '@mokuroku/contract/call'
import { toFieldErrors } from '@mokuroku/contract/issues'
import type { ImportType } from '@mokuroku/contract/imports'
import type { Translated } from '@mokuroku/contract/kinds'
import { parseMoment } from '@mokuroku/contract/moments'
import { normalize } from '@mokuroku/contract/normalize'
import type * as z from 'zod/mini'
import { INPUTS, TABLES } from '#database/tables.ts'
import { MAX_WORD_CHARS, unclearSign } from './unclear.ts'

type Schema = z.core.$ZodType

/** The input schema of a kind. */
export const inputOf = (kind: Translated): z.ZodMiniObject => INPUTS[TABLES[kind]]

/** The schema of one field; undefined if there is no such field. */
export const schemaOf = (kind: Translated, field: string): z.ZodMiniType | undefined =>
  (inputOf(kind).shape as Record<string, z.ZodMiniType | undefined>)[field]

/** Validates a value by the schema of its field: returns the parsed value, or the faults at the given path. */
export function parseField(
  schema: z.ZodMiniType,
  path: string,
  value: unknown,
): { value?: unknown; faults: FieldError[] } {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { value: parsed.data, faults: [] }
  const faults = toFieldErrors(parsed.error, value, 3)
  return { faults: faults.map((each) => ({ ...each, path: each.path ? `${path}.${each.path}` : path })) }
}

interface Form {
  type: string
  format?: string | undefined
  entries: string[]
  isNullable: boolean
}

/** The form of a schema, inside optional, nullable, default and transform. */
export function formOf(schema: Schema): Form {
  const { def } = schema._zod as unknown as {
    def: { type: string; format?: string; entries?: Record<string, string>; innerType?: Schema; in?: Schema }
  }
  const inner = def.innerType ?? (def.type === 'pipe' ? def.in : undefined)
  if (inner) {
    const form = formOf(inner)
    return { ...form, isNullable: form.isNullable || def.type === 'nullable' }
  }
  return { type: def.type, format: def.format, entries: Object.values(def.entries ?? {}), isNullable: false }
}

/** Whether a column that is mapped to `path` has numbers. */
export function isNumberField(type: ImportType, path: string): boolean {
  const schema = type === 'Translation' ? undefined : schemaOf(type, path)
  return schema !== undefined && formOf(schema).type === 'number'
}

const TRUE = new Set([
  'true',
  'yes',
  'y',
  '1',
  'on',
  'x',
  '✓',
  '是',
  '真',
  '有',
  'はい',
  'ongoing',
  'airing',
  '连载中',
  '連載中',
  '更新中',
  '放送中',
])
const FALSE = new Set([
  'false',
  'no',
  'n',
  '0',
  'off',
  '✗',
  '否',
  '假',
  '无',
  'いいえ',
  'completed',
  'finished',
  'ended',
  '已完结',
  '已完結',
  '完结',
  '完結',
])

/** Words for options in Chinese, as in the console, and in Japanese. */
const OPTIONS: Record<string, readonly string[]> = {
  ANIME: ['动画', '動畫', 'アニメ'],
  MANGA: ['漫画', '漫畫', 'マンガ'],
  NOVEL: ['小说', '小說', '小説', 'ライトノベル'],
  GENRE: ['题材', '題材', 'ジャンル'],
  THEME: ['主题', '主題', 'テーマ'],
  CHARACTER_TRAIT: ['角色属性', '角色屬性'],
  CONTENT_WARNING: ['内容预警', '內容預警'],
  CUSTOM: ['自定义', '自訂'],
  ACTIVE: ['启用', '啟用'],
  DEPRECATED: ['已弃用', '已棄用'],
  HIDDEN: ['已隐藏', '已隱藏'],
}

/**
 * Parses a cell as a number, a moment, one of a few words, and so on. A text that cannot be parsed is returned as it
 * is, so that the schema rejects it.
 */
export function valueOf(text: string, form: Form): unknown {
  // No number, date or option is that long.
  if (text.length > MAX_WORD_CHARS) return text
  const word = normalize(text, 'NFKC').trim()
  switch (form.type) {
    case 'boolean':
      return TRUE.has(word.toLowerCase()) ? true : FALSE.has(word.toLowerCase()) ? false : word
    case 'number':
      return NUMBER.test(word) && PLAIN.test(text) ? Number(word.replaceAll(' ', '')) : word
    case 'enum':
      return optionIn(word, form.entries) ?? word
    default:
      return form.format === 'datetime' ? (parseMoment(word) ?? word) : text
  }
}

function optionIn(word: string, options: string[]): string | undefined {
  const code = word.toUpperCase().replaceAll(/[\s-]+/g, '_')
  return options.find((each) => each === code || OPTIONS[each]?.includes(word))
}

/** A number in decimal notation, with spaces between thousands at most. */
const NUMBER = /^[+-]?(?:\d+|\d{1,3}(?: \d{3})+)(?:\.\d+)?$/
/** Only what a number has, also in full width: normalizing makes digits of other signs, such as exponents, too. */
const PLAIN = /^[\s\d.,+\-\uff0b-\uff0e\uff10-\uff19]+$/

/**
 * Whether a cell is a number that may mean two values, such as 1,500. A point is clear in a table separated by commas,
 * which programs write; one separated by semicolons or tabs comes from a spreadsheet, in the notation of its user.
 */
export function isUnclear(text: string, separator: string): boolean {
  const sign = unclearSign(text)
  return sign === ',' || (sign === '.' && (separator === ';' || separator === '\t'))
}

/** A number with three decimals as a text that is clear in any table: four digits are no thousands. */
export const clearNumber = (text: string): string => `${text}0`

/** The value of an empty cell: that of an empty field. */
export function emptyOf(form: Form): unknown {
  if (form.isNullable) return null
  if (form.type === 'array') return []
  return form.type === 'boolean' ? false : ''
}

/** Whether a cell has a date without a time. */
export const isDay = (text: string): boolean => text.length <= MAX_WORD_CHARS && !/\d:\d/.test(normalize(text, 'NFKC'))

/** No id and no name has a NUL character, and PostgreSQL rejects it even in a condition. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd')

/** The names in a cell of links, separated by semicolons, also full-width ones. */
export const namesIn = (text: string): string[] =>
  withoutNul(text)
    .split(/[;\uff1b|\n]/)
    .map((name) => name.trim())
    .filter(Boolean)

/** The names separated by commas, also full-width and ideographic ones, for a cell without semicolons. */
export const commaNamesIn = (name: string): string[] =>
  name
    .split(/[,\uff0c\u3001]/)
    .map((each) => each.trim())
    .filter(Boolean)
