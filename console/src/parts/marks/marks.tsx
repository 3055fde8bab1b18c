import { type CommentCount, commentsApi } from '@mokuroku/contract/comments'
import { findingsApi, type LanguageMark, MAX_MARKED_IDS } from '@mokuroku/contract/findings'
import type { Translated } from '@mokuroku/contract/kinds'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { qList } from '#api/query.ts'

const NO_MARKS: readonly LanguageMark[] = []
const Marks = createContext(NO_MARKS)
const NO_COUNTS: readonly CommentCount[] = []
const Counts = createContext(NO_COUNTS)

interface Props {
  kind: Translated
  /** Ids of the rows on the page. */
  ids: readonly string[]
  children: ReactNode
}

/** Loads the language findings and open comment counts of all rows of a page, with one request each. */
export function MarksOfPage({ kind, ids, children }: Props) {
  const query = { entityType: kind, ids: ids.slice(0, MAX_MARKED_IDS).join(',') }
  const options = { enabled: ids.length > 0, meta: { quiet: true } }
  const marks = useQuery({ ...qList(findingsApi.marks, { query }), ...options })
  const counts = useQuery({ ...qList(commentsApi.counts, { query }), ...options })
  return (
    <Marks value={marks.data?.data ?? NO_MARKS}>
      <Counts value={counts.data?.data ?? NO_COUNTS}>{children}</Counts>
    </Marks>
  )
}

/** Number of open comments of an entity. */
export const useOpenComments = (id: string): number =>
  useContext(Counts).find(({ entityId }) => entityId === id)?.open ?? 0

/** Languages of an entity with findings other than `missing`. */
export const useSuspects = (id: string): string[] =>
  useContext(Marks).flatMap(({ entityId, code, language }) => (entityId === id && code !== 'missing' ? [language] : []))
