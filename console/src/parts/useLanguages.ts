import { languagesApi, OFFERED_LANGUAGES } from '@mokuroku/contract/languages'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#api/query.ts'
import { site } from '#lib/site.ts'

/** The languages to choose from: those that are always offered, then the others in use. Without an answer, the former. */
export function useLanguages(): readonly string[] {
  const { data } = useQuery({ ...q(languagesApi.list), meta: { quiet: true } })
  return useMemo(() => [...new Set([...OFFERED_LANGUAGES, ...(data?.data ?? []).map(({ tag }) => tag)])], [data])
}

/** What the texts of this catalogue are often in, and the writings of Chinese. */
const COMMON = ['en', 'zh', 'ja', 'zh-Hans', 'zh-Hant', 'ko']

/** The languages that editors complete: those of the site first, then common ones, then the others in use. */
export function useEditorLanguages(): readonly string[] {
  const languages = useLanguages()
  return useMemo(() => [...new Set([...site.get().languages, ...COMMON, ...languages])], [languages])
}
