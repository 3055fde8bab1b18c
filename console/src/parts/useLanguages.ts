import { languagesApi, OFFERED_LANGUAGES } from '@mokuroku/contract/languages'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { q } from '#api/query.ts'

/** The languages to choose from: those that are always offered, then the others in use. Without an answer, the former. */
export function useLanguages(): readonly string[] {
  const { data } = useQuery({ ...q(languagesApi.list), meta: { quiet: true } })
  return useMemo(() => [...new Set([...OFFERED_LANGUAGES, ...(data?.data ?? [])])], [data])
}
