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
  /** Of what is edited; undefined for a new one. */
  id: string | undefined
  schema: z.ZodMiniObject
  /** The text, and what it says; undefined while it cannot be saved. */
  text: string
  value: Fields | undefined
  /** What stands on the server. */
  stored: string
}

type Finding = ReturnType<typeof findingsIn>[number]

/** What the checks of the catalogue find in the text, but for what somebody called no problem and is as it was. */
export function useWarnings({ kind, id, schema, text, value, stored }: Options): {
  title: string
  problems: Problem[]
} {
  const texts = area.use()
  const language = useLanguage()
  const { languages: wanted, findings: codes } = site.use()
  const checked = TRANSLATED_KINDS.find((each) => each === kind)
  const asked = q(findingsApi.find, { id: id ?? '' })
  const { data } = useQuery({ ...asked, queryFn: id && checked ? asked.queryFn : skipToken, meta: { quiet: true } })
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

/** What is found of an entity with these fields; those that are left out are empty. */
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
