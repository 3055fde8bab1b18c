import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { newest } from '#lib/newest.ts'
import type { Choice } from './Suggestion.tsx'

/** How many recent characters are fetched. */
const FETCHED = 20

/** Suggestions of an empty search field for characters: the user's recent ones, loaded when the field is focused. */
export function useRecentCharacters() {
  const me = useMe()
  const [entered, setEntered] = useState(false)
  const recent = useQuery({
    ...q(charactersApi.list, { query: { userId: me._id, limit: FETCHED } }),
    select: ({ characters }) => newest(characters).map(choiceOf),
    enabled: entered,
    meta: { quiet: true },
  })
  const { recentFailed } = useMessages().characters
  return { recent, recentFailed, onEnter: () => setEntered(true) }
}

const choiceOf = ({ _id, translations, cover, originalName }: Character): Choice => ({
  _id,
  translations,
  cover,
  originalTitle: originalName,
})
