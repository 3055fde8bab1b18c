import { findingsApi, type LanguageMark, MAX_MARKED_IDS } from '@mokuroku/contract/findings'
import type { Translated } from '@mokuroku/contract/kinds'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { qList } from '#api/query.ts'

const NO_MARKS: readonly LanguageMark[] = []
const Marks = createContext(NO_MARKS)

interface Props {
  kind: Translated
  /** Of the rows that are shown. */
  ids: readonly string[]
  children: ReactNode
}

/** Asks at once what was found about the languages of all rows of a page. */
export function MarksOfPage({ kind, ids, children }: Props) {
  const { data } = useQuery({
    ...qList(findingsApi.marks, { query: { entityType: kind, ids: ids.slice(0, MAX_MARKED_IDS).join(',') } }),
    enabled: ids.length > 0,
    meta: { quiet: true },
  })
  return <Marks value={data?.data ?? NO_MARKS}>{children}</Marks>
}

/** The languages of an entity that something was found about, but that they are missing. */
export const useSuspects = (id: string): string[] =>
  useContext(Marks).flatMap(({ entityId, code, language }) => (entityId === id && code !== 'missing' ? [language] : []))
