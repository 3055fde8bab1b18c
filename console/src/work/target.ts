import { type Finding, FINDING_CODES, type FindingCode } from '@mokuroku/contract/findings'
import { kindOf, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { isInFamily } from '@mokuroku/contract/languageTags'
import { PAGING } from '@mokuroku/contract/lists'
import * as z from 'zod/mini'
import { LanguageTag } from '@mokuroku/contract/common'
import { readUrl } from '#lib/urlQuery.ts'

/** What the address of the desk may hold beside the filters of the list. */
export const DeskQuery = z.object({
  entityType: z._default(z.enum(TRANSLATED_KINDS), 'Media'),
  view: z._default(z.enum(['desk', 'matrix']), 'desk'),
  /** Of the matrix. */
  page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000_000)), 1),
  /** The language and the field to go over, where the finding does not say them, or others are wanted. */
  target: z.optional(LanguageTag),
  field: z.optional(z.string()),
})
export type DeskQuery = z.output<typeof DeskQuery>

/** The filters of an address that a list takes, as text. What the list does not know is left out. */
export function filterIn(query: z.ZodMiniObject, search: Readonly<Record<string, unknown>>): Record<string, string> {
  const own = new Set([...Object.keys(DeskQuery.shape), ...PAGING])
  const given = Object.fromEntries(Object.entries(search).filter(([name]) => !own.has(name)))
  const known = readUrl(query, given)
  return Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => name in known && value !== '')
      .map(([name, value]) => [name, String(value)]),
  )
}

/**
 * What is done about a finding: a text of one of the kind's fields is written; things are picked, an image or a value is
 * chosen for `property`; broken links are taken out or replaced; or the editor is opened.
 */
type Fill = 'pick' | 'image' | 'choice' | 'links' | 'editor'
type Doing = 'title' | 'description' | { fill: Fill; property: string }
const FILLS: Record<FindingCode, Doing> = {
  missing: 'title',
  copied: 'title',
  script: 'title',
  mixed: 'title',
  spaces: 'title',
  brackets: 'title',
  ellipsis: 'title',
  placeholder: 'title',
  season: 'title',
  noDescription: 'description',
  noTags: { fill: 'pick', property: 'tags' },
  noCover: { fill: 'image', property: 'cover' },
  noCharacters: { fill: 'pick', property: 'characters' },
  futureCompleted: { fill: 'choice', property: 'isOngoing' },
  duplicate: { fill: 'editor', property: '' },
  brokenLink: { fill: 'links', property: 'cover' },
}

/** What is to be filled in of every entity of a queue. */
export interface Task {
  kind: Translated
  fill: 'text' | Fill
  /** The field of the entity that is filled in where it is no text. */
  property: string
  /** The field of the texts, and all that each language has. */
  field: string
  fields: readonly string[]
  /** The language; undefined where each entity's own finding says it. */
  language: string | undefined
  /** The finding that the queue is filtered by. */
  code: FindingCode | undefined
}

/** What an address asks to be filled in. Without a finding it is the title in the first of the wanted languages. */
export function taskOf(
  { entityType: kind, target, field: chosen }: DeskQuery,
  finding: string,
  wanted: readonly string[],
): Task {
  const { title = '', fields = [] } = kindOf(kind).texts ?? {}
  const [name = '', about] = finding.split(':')
  const code = FINDING_CODES.find((each) => each === name)
  const doing = code ? FILLS[code] : 'title'
  const isChosen = target !== undefined || chosen !== undefined
  const first = wanted[0] ?? 'en'
  return {
    kind,
    ...(isChosen || typeof doing === 'string' ? { fill: 'text', property: '' } : doing),
    fields,
    field: fields.find((each) => each === chosen) ?? (doing === 'description' ? 'description' : title),
    language: target ?? about ?? (code && doing === 'title' ? undefined : first),
    code,
  }
}

/** What the finding of the queue says of one entity, narrowed to the language that is filled in where there is one. */
export function findingOf({ code, language }: Task, findings: readonly Finding[]): Finding | undefined {
  const same = findings.filter((each) => each.code === code)
  return (
    same.find((each) => language === undefined || (each.language && isInFamily(each.language, language))) ??
    same.find((each) => each.language === undefined)
  )
}

/** The language that is filled in of one entity. */
export const languageOf = (task: Task, findings: readonly Finding[], wanted: readonly string[]): string =>
  findingOf(task, findings)?.language ?? task.language ?? wanted[0] ?? 'en'
