import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import type { Choice } from './Suggestion.tsx'

/** How many recent items of each kind are fetched, and how many of the newest are shown. */
const FETCHED = { media: 50, characters: 20 }
const SHOWN = 10

/** What a search box for media offers while it is empty: the user's recent ones, asked for when it is entered. */
export function useRecentMedia() {
  const me = useMe()
  const [entered, setEntered] = useState(false)
  const recent = useQuery({
    ...q(mediaApi.list, { query: { userId: me._id, limit: FETCHED.media } }),
    select: newest,
    enabled: entered,
    meta: { quiet: true },
  })
  const { recentFailed } = useMessages().media
  return { recent, recentFailed, onEnter: () => setEntered(true) }
}

/** The same for characters. */
export function useRecentCharacters() {
  const me = useMe()
  const [entered, setEntered] = useState(false)
  const recent = useQuery({
    ...q(charactersApi.list, { query: { userId: me._id, limit: FETCHED.characters } }),
    select: ({ characters }) => newest(characters).map(choiceOf),
    enabled: entered,
    meta: { quiet: true },
  })
  const { recentFailed } = useMessages().characters
  return { recent, recentFailed, onEnter: () => setEntered(true) }
}

function newest<Row extends { createdAt: string }>(rows: Row[]): Row[] {
  return rows.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt)).slice(0, SHOWN)
}

const choiceOf = ({ _id, translations, cover, originalName }: Character): Choice => ({
  _id,
  translations,
  cover,
  originalTitle: originalName,
})
