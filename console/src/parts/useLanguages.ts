import { languagesApi, OFFERED_LANGUAGES } from '@mokuroku/contract/languages'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#api/query.ts'
import { site } from '#lib/site.ts'

/**
 * The languages to choose from: those that are always offered, then others in use. Without a response, only the former.
 */
export function useLanguages(): readonly string[] {
  const { data } = useQuery({ ...q(languagesApi.list), meta: { quiet: true } })
  return useMemo(() => [...new Set([...OFFERED_LANGUAGES, ...(data?.data ?? []).map(({ tag }) => tag)])], [data])
}

/** Languages that are common in such a catalogue, and the scripts of Chinese. */
const COMMON = ['en', 'zh', 'ja', 'zh-Hans', 'zh-Hant', 'ko']

/** The languages that editors suggest: those of the site, then common ones, then others in use. */
export function useEditorLanguages(): readonly string[] {
  const languages = useLanguages()
  return useMemo(() => [...new Set([...site.get().languages, ...COMMON, ...languages])], [languages])
}
