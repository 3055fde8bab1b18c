import { type Finding, FINDING_CODES, type FindingCode } from '@mokuroku/contract/findings'
import { kindOf, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { isInFamily } from '@mokuroku/contract/languageTags'
import { PAGING } from '@mokuroku/contract/lists'
import * as z from 'zod/mini'
import { LanguageTag } from '@mokuroku/contract/common'
import { readUrl } from '#lib/urlQuery.ts'

/** The desk's URL parameters besides the list's filters. */
export const DeskQuery = z.object({
  entityType: z._default(z.enum(TRANSLATED_KINDS), 'Media'),
  view: z._default(z.enum(['desk', 'matrix']), 'desk'),
  /** For the matrix only. */
  page: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(10_000_000)), 1),
  /** Language and field to work on, if the finding does not determine them, or to override it. */
  target: z.optional(LanguageTag),
  field: z.optional(z.string()),
})
export type DeskQuery = z.output<typeof DeskQuery>

/** The URL parameters that are filters of a list, as strings; unknown ones are left out. */
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

/** Whether a filter leaves out nothing: the queue has every entity of its kind. */
export const isUnfiltered = (filter: Readonly<Record<string, string>>) => Object.keys(filter).length === 0

/**
 * How a finding is resolved: by writing a text; by picking entities, an image or a value for `property`; by removing or
 * replacing broken links; or by merging.
 */
type Fill = 'pick' | 'image' | 'choice' | 'links' | 'merge'
type Doing = 'title' | 'description' | { fill: Fill; property: string }
const FILLS: Record<FindingCode, Doing> = {
  missing: 'title',
  copied: 'title',
  script: 'title',
  latinOnly: 'title',
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
  duplicate: { fill: 'merge', property: '' },
  brokenLink: { fill: 'links', property: 'cover' },
}

/** What to fill in for every entity of a queue. */
export interface Task {
  kind: Translated
  fill: 'text' | Fill
  /** The field to fill in, unless it is a text. */
  property: string
  /** The text field to fill in, and all text fields that a language has. */
  field: string
  fields: readonly string[]
  /** The language; undefined if each entity's finding determines it. */
  language: string | undefined
  /** The finding for which the queue is filtered. */
  code: FindingCode | undefined
}

/** The task in the URL. Without a finding, it is the title in the first wanted language. */
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

/** An entity's finding for which the queue is filtered; in the task's language, if it has one. */
export function findingOf({ code, language }: Task, findings: readonly Finding[]): Finding | undefined {
  const same = findings.filter((each) => each.code === code)
  return (
    same.find((each) => language === undefined || (each.language && isInFamily(each.language, language))) ??
    same.find((each) => each.language === undefined)
  )
}

/** The language to fill in for one entity. */
export const languageOf = (task: Task, findings: readonly Finding[], wanted: readonly string[]): string =>
  findingOf(task, findings)?.language ?? task.language ?? wanted[0] ?? 'en'
