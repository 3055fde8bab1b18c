import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import type { Choice } from '#parts/Suggestion.tsx'
import css from './CharacterList.module.css'

/** Specification 9: fetch 20 recent items, show 10. */
const RECENT = { fetched: 20, shown: 10 }

/** A box that opens a character: by any of its names, or from the user's recent ones. */
export function CharacterSearch() {
  const { characters: texts } = useMessages()
  const navigate = useNavigate()
  const me = useMe()
  const [text, setText] = useState('')
  const [entered, setEntered] = useState(false)
  const recent = useQuery({
    ...q(charactersApi.list, { query: { userId: me._id, limit: RECENT.fetched } }),
    select: ({ characters }) => newest(characters),
    enabled: entered,
    meta: { quiet: true },
  })
  return (
    <div role="search" aria-label={texts.search} className={css.searchLine}>
      <SearchSelect
        index="characters"
        takesFirst
        className={css.search}
        label={texts.search}
        placeholder={texts.searchHint}
        text={text}
        onText={setText}
        onChoose={({ _id }) => void navigate({ to: `/characters/${_id}`, state: { list: location.search } })}
        recent={recent}
        onEnter={() => setEntered(true)}
        recentTitle={texts.recent}
        recentFailed={texts.recentFailed}
      />
    </div>
  )
}

function newest(characters: Character[]): Choice[] {
  return characters
    .toSorted((one, other) => other.createdAt.localeCompare(one.createdAt))
    .slice(0, RECENT.shown)
    .map(({ _id, translations, cover, originalName }) => ({ _id, translations, cover, originalTitle: originalName }))
}
