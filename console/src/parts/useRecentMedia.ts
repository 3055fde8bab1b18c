import { mediaApi } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { newest } from '#lib/newest.ts'

/** How many recent media are fetched. */
const FETCHED = 50

/** Suggestions of an empty search field for media: the user's recent ones, loaded when the field is focused. */
export function useRecentMedia() {
  const me = useMe()
  const [entered, setEntered] = useState(false)
  const recent = useQuery({
    ...q(mediaApi.list, { query: { userId: me._id, limit: FETCHED } }),
    select: newest,
    enabled: entered,
    meta: { quiet: true },
  })
  const { recentFailed } = useMessages().media
  return { recent, recentFailed, onEnter: () => setEntered(true) }
}
