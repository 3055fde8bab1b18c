import { type FindingCode, FINDING_CODES, type FindingCount } from '@mokuroku/contract/findings'
import type { Translated } from '@mokuroku/contract/kinds'
import { canonical, isInFamily, primaryLanguage } from '@mokuroku/contract/languageTags'
import { db } from '#database/db.ts'
import { findings, MAX_COUNTS } from '#store/findings'

/** With more languages than this, a finding is checked row by row instead, since each language costs a query. */
const MAX_LANGUAGES = 20

/** Number of ids with a finding that are read at a time, and the maximum. */
const [STEP, MAX_STEP] = [200, 2000]

/**
 * Up to `limit` ids with a finding that pass `check`, after an id, in their order. Reads the index of findings in
 * order, so the cost depends neither on the number of entities nor on where the findings are. Undefined if the finding
 * has too many languages.
 */
export async function idsWithFinding(
  kind: Translated,
  finding: string,
  after: string,
  limit: number,
  check: (ids: string[]) => Promise<string[]>,
): Promise<string[] | undefined> {
  const matched: string[] = []
  let from = after
  for (;;) {
    const found = await foundIds(kind, finding, from, Math.min(Math.max(STEP, limit), MAX_STEP))
    if (!found) return undefined
    if (found.ids.length > 0) matched.push(...(await check(found.ids)))
    if (matched.length >= limit || found.until === undefined) return matched.slice(0, limit)
    from = found.until
  }
}

/** Sorted ids; `until` is the last id covered, if there may be more. */
interface FoundIds {
  ids: string[]
  until: string | undefined
}

/**
 * About `limit` ids of entities with a finding (`missing`, `missing:zh`) after an id, read from the index in order,
 * whatever the other filters. Undefined if the finding has too many languages.
 */
async function foundIds(
  kind: Translated,
  finding: string,
  after: string,
  limit: number,
): Promise<FoundIds | undefined> {
  const named = await namedIn(kind, finding)
  if (!named) return undefined
  const { code, languages: asked } = named
  if (asked.length > MAX_LANGUAGES) return undefined
  const parts = await Promise.all(
    asked.map((language) => findings.idsWith(db, { kind, code, language, cursor: after }, limit)),
  )
  // Beyond the last row of a truncated part, that part may have more ids between those of the others.
  const until = parts
    .flatMap((part) => (part.length === limit ? (part.at(-1) ?? []) : []))
    .toSorted()
    .at(0)
  const ids = [...new Set(parts.flat())].filter((id) => until === undefined || id <= until)
  return { ids: ids.toSorted(), until }
}

/**
 * The single language of all findings of a filter ('' for none), and the number of entities with one, if they are all
 * about one field. Empty if there are several languages.
 */
export async function findingCountOf(
  kind: Translated,
  finding: string,
): Promise<{ language?: string; count?: number }> {
  const { languages = [], counts = [] } = (await namedIn(kind, finding)) ?? {}
  const [language] = languages
  if (language === undefined || languages.length > 1) return {}
  const [one, ...others] = counts.filter((each) => (each.language ?? '') === language)
  return { language, ...(one && others.length === 0 && { count: one.count }) }
}

/** The finding code of a filter, the languages of such findings, and their counts; undefined if they are too many. */
async function namedIn(
  kind: Translated,
  finding: string,
): Promise<{ code: FindingCode; languages: string[]; counts: FindingCount[] } | undefined> {
  const [name, about] = finding.split(':')
  const code = FINDING_CODES.find((each) => each === name)
  if (!code) return undefined
  const counts = await findings.countsOfLanguages(kind, code, about && primaryLanguage(canonical(about) ?? about))
  // There may be more languages.
  if (counts.length === MAX_COUNTS) return undefined
  const languages = new Set(counts.map(({ language = '' }) => language))
  return {
    code,
    counts,
    languages: [...languages].filter((each) => about === undefined || (each !== '' && isInFamily(each, about))),
  }
}
