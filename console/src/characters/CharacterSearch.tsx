import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import { useRecentCharacters } from '#parts/useRecentCharacters.ts'
import css from './CharacterList.module.css'
import { characterTexts } from './texts.ts'

/** A search box that opens a character, by any of its names or from the user's recent ones. */
export function CharacterSearch() {
  const texts = characterTexts.use()
  const { recent } = useMessages().characters
  const navigate = useNavigate()
  const [text, setText] = useState('')
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
        onChoose={({ _id }) => void navigate({ to: screenOf('Character', _id) })}
        {...useRecentCharacters()}
        recentTitle={recent}
      />
    </div>
  )
}
