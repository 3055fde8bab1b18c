import type { Dismissal, FindingCode } from '@mokuroku/contract/findings'
import { findingsApi } from '@mokuroku/contract/findings'
import { findingsIn } from '@mokuroku/contract/findings/checks'
import { type Kind, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type * as z from 'zod/mini'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { type Fields, toRequestBody } from '#lib/editorText.ts'
import { site } from '#lib/site.ts'
import { texts as area } from '#parts/findings/texts.ts'
import { parsed, spanAt } from '#parts/jsonEditor/place.ts'
import { languageName } from '#parts/titles.ts'
import type { Problem } from './Problems.tsx'

interface Options {
  kind: Kind
  /** Id of the edited entity; undefined for a new one. */
  id: string | undefined
  schema: z.ZodMiniObject
  /** The text, and its parsed value; undefined while it is invalid. */
  text: string
  value: Fields | undefined
  /** The stored text. */
  stored: string
}

type Finding = ReturnType<typeof findingsIn>[number]

/**
 * The findings of the catalogue checks in the text, without those that were dismissed and still concern the same text.
 */
export function useWarnings({ kind, id, schema, text, value, stored }: Options): {
  title: string
  problems: Problem[]
} {
  const texts = area.use()
  const language = useLanguage()
  const { languages: wanted, findings: codes } = site.use()
  const checked = TRANSLATED_KINDS.find((each) => each === kind)
  const options = q(findingsApi.find, { id: id ?? '' })
  const { data } = useQuery({ ...options, queryFn: id && checked ? options.queryFn : skipToken, meta: { quiet: true } })
  const dismissed = data?.dismissed
  return useMemo(() => {
    if (!checked || !value) return { title: '', problems: [] }
    const find = (fields: Fields) => found(checked, schema, fields, { wanted, codes })
    const before = dismissed?.length ? find(JSON.parse(stored) as Fields) : []
    const tree = parsed(text)
    const problems = find(value)
      .filter((finding) => !dismissed?.some((each) => isAbout(each, finding)) || !before.some(isSameAs(finding)))
      .map((finding): Problem => {
        const message = texts.sentences[finding.code](languageName(finding.language, language))
        const place = placeOf(finding)
        return { ...spanAt(text, place, tree), place, message, line: `${place.join('.')}: ${message}`, isWarning: true }
      })
    return { title: problems.length > 0 ? texts.found : '', problems }
  }, [checked, schema, text, value, stored, wanted, codes, dismissed, texts, language])
}

/** The findings of an entity with these fields; missing fields count as empty. */
function found(
  kind: Translated,
  schema: z.ZodMiniObject,
  fields: Fields,
  rules: { wanted: readonly string[]; codes: readonly FindingCode[] },
): Finding[] {
  const all = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, true]))
  return findingsIn(kind, toRequestBody(schema, fields, all), rules)
}

const placeOf = ({ language, field }: Finding): string[] => (language ? ['translations', language, field] : [field])

const isAbout = ({ code, language = '', field = '' }: Dismissal, finding: Finding): boolean =>
  code === finding.code && language === finding.language && field === finding.field

const isSameAs = (one: Finding) => (other: Finding) =>
  one.code === other.code && one.language === other.language && one.field === other.field && one.text === other.text
