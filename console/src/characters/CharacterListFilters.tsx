import type { CharacterQuery } from '@mokuroku/contract/characters'
import { orderOf } from '@mokuroku/contract/order'
import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type * as z from 'zod/mini'
import { useMessages } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import type { FiltersProps } from '#parts/area/area.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import { useRecentCharacters } from '#parts/useRecentCharacters.ts'
import { Filters } from '#ui/Filters.tsx'
import { characterTexts } from './texts.ts'

type Applied = Pick<z.output<typeof CharacterQuery>, 'search'>

/** The search above the list, by any name. The Filter button applies it; Enter opens the first suggestion, if any. */
export function CharacterListFilters(props: FiltersProps<Applied & Pick<z.output<typeof CharacterQuery>, 'sort'>>) {
  const texts = characterTexts.use()
  return (
    <Filters<Applied>
      {...props}
      label={texts.search}
      fields={{ search: { label: texts.search, placeholder: texts.searchHint, Box: CharacterSearch } }}
      hasSubmit
      byMatch={orderOf(props.applied) === 'relevance'}
    />
  )
}

type BoxProps = Pick<ComponentProps<typeof SearchSelect>, 'label' | 'placeholder' | 'text' | 'onText' | 'className'>

/** Search field with suggestions that open a character. */
function CharacterSearch(props: BoxProps) {
  const { recent } = useMessages().characters
  const navigate = useNavigate()
  return (
    <SearchSelect
      {...props}
      {...useRecentCharacters()}
      index="characters"
      takesFirst
      onChoose={({ _id }) => void navigate({ to: screenOf('Character', _id) })}
      recentTitle={recent}
    />
  )
}
