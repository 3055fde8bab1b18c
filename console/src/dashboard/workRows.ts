import type { FindingWork, PastCounts, Work } from '@mokuroku/contract/dashboard'
import { FINDING_CODES, type FindingCode } from '@mokuroku/contract/findings'
import type { Translated } from '@mokuroku/contract/kinds'
import { AREAS, type Kind } from '#lib/areas.ts'
import { fileSize } from '#lib/sizes.ts'
import { languageName } from '#parts/titles.ts'
import { workTexts } from './workTexts.ts'

/** One thing to do: a sentence that links to its list, and how its count has changed. */
export interface WorkRow {
  key: string
  sentence: string
  kind?: Kind
  to: string
  search: Record<string, string>
  /** The kind and the query parameters that open it on the desk; undefined for drafts and files. */
  desk?: { kind: Translated; search: Record<string, string> }
  now: number
  /** Undefined if no past counts are recorded. */
  past?: { day: string; value: number }[]
}

/** Errors come before missing values. */
const ORDER = Object.keys(workTexts.get().sentences) as FindingCode[]
/** Findings listed before unused files. */
const PRESSING = new Set<FindingCode>(['missing', 'copied', 'duplicate', 'brokenLink'])

/** The rows for the server's findings and the drafts in this browser, most urgent first. */
export function workRows({ findings, files }: Work, drafts: number, locale: string): WorkRow[] {
  const texts = workTexts.get()
  const number = new Intl.NumberFormat(locale)
  const known = findings.filter(({ code, count }) => count > 0 && FINDING_CODES.includes(code))
  const rows = known
    .toSorted((one, other) => ORDER.indexOf(one.code) - ORDER.indexOf(other.code))
    .map((each) => ({ row: findingRow(each, number, locale), isPressing: PRESSING.has(each.code) }))
  const file = (key: 'unused' | 'failed', search: Record<string, string>): WorkRow[] => {
    const { count = 0, size = 0, past = [] } = files?.[key] ?? {}
    if (count === 0) return []
    const sentence =
      key === 'unused' ? texts.unused(number.format(count), fileSize(size)) : texts.failed(number.format(count))
    return [{ key, sentence, to: AREAS.Asset.path, search, now: count, past: valuesOf(past) }]
  }
  return [
    ...(drafts > 0
      ? [{ key: 'drafts', sentence: texts.drafts(number.format(drafts)), to: '/drafts', search: {}, now: drafts }]
      : []),
    ...file('failed', { status: 'ERROR' }),
    ...rows.filter(({ isPressing }) => isPressing).map(({ row }) => row),
    ...file('unused', { unused: 'true' }),
    ...rows.filter(({ isPressing }) => !isPressing).map(({ row }) => row),
  ]
}

function findingRow(
  { entityType, code, language, count, past, createdBy }: FindingWork,
  number: Intl.NumberFormat,
  locale: string,
) {
  const finding = language ? `${code}:${language}` : code
  const filter = { finding, ...(createdBy && { createdBy }) }
  const sentence = workTexts.get().sentences[code](number.format(count), language ? languageName(language, locale) : '')
  return {
    key: `${entityType} ${finding}`,
    sentence,
    kind: entityType,
    to: AREAS[entityType].path,
    search: filter,
    desk: { kind: entityType, search: { ...filter, ...(entityType !== 'Media' && { entityType }) } },
    now: count,
    ...(!createdBy && { past: valuesOf(past) }),
  }
}

const valuesOf = (past: PastCounts) => past.map(({ day, count: value }) => ({ day, value }))
