import type { GeneralFilter } from '@mokuroku/contract/lists'
import { MEDIA_SORTS, MEDIA_TYPES, type MediaQuery } from '@mokuroku/contract/media'
import { useNavigate } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type * as z from 'zod/mini'
import { useMessages } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import type { FiltersProps } from '#parts/area/area.ts'
import { mediaTypes } from '#parts/mediaTypes.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import { useRecentMedia } from '#parts/useRecentMedia.ts'
import { type FilterFields, Filters } from '#ui/Filters.tsx'
import { mediaTexts } from './texts.ts'

/** A filter of the contract that is not general, and has no field here, does not compile. */
type Applied = Omit<Partial<z.output<typeof MediaQuery>>, GeneralFilter>

/** The line above the table. Filters apply with Filter, or Enter, and the order at once; the address follows. */
export function MediaListFilters(props: FiltersProps<Applied>) {
  const texts = mediaTexts.use()
  const types = mediaTypes.use()
  const { common, media } = useMessages()
  const { search } = props.applied
  const { all, orders } = ordersOf(texts.sorts, search ? common.bestMatch : undefined)
  const fields: FilterFields<Applied> = {
    search: { label: texts.search, placeholder: texts.searchHint, Box: MediaSearch },
    type: {
      label: texts.type,
      all: texts.allTypes,
      options: MEDIA_TYPES.map((value) => ({ value, label: types[value] })),
    },
    isOngoing: {
      label: texts.status,
      all: texts.allStatus,
      options: [
        { value: true, label: media.ongoing },
        { value: false, label: media.completed },
      ],
    },
    sort: { label: texts.sort, all, options: orders, appliesAtOnce: true },
  }
  return <Filters {...props} label={texts.filters} fields={fields} hasSubmit />
}

type BoxProps = Pick<ComponentProps<typeof SearchSelect>, 'label' | 'placeholder' | 'text' | 'onText' | 'className'>

/** Words to look for, with suggestions that lead to their media. */
function MediaSearch(props: BoxProps) {
  const { media } = useMessages()
  const navigate = useNavigate()
  return (
    <SearchSelect
      {...props}
      {...useRecentMedia()}
      index="media"
      onChoose={({ _id }) => void navigate({ to: screenOf('Media', _id) })}
      recentTitle={media.recent}
    />
  )
}

const SORTS = MEDIA_SORTS.flatMap((name) => [`-${name}`, name] as const)

/** The order without a choice, by match while searching, else newest first, and every other one. */
function ordersOf(names: Record<(typeof SORTS)[number], string>, byMatch: string | undefined) {
  const { '-createdAt': newest } = names
  const others = SORTS.filter((sort) => byMatch !== undefined || sort !== '-createdAt')
  return { all: byMatch ?? newest, orders: others.map((value) => ({ value, label: names[value] })) }
}
