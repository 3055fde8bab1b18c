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

/** A filter of the contract that is not a general one must have a field here, or this does not compile. */
type Applied = Omit<Partial<z.output<typeof MediaQuery>>, GeneralFilter>

/**
 * The filters above the table. They apply with the Filter button or Enter, the sort order at once; the URL is updated.
 */
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

/** Search field with suggestions that link to media. */
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

/** The default order (best match while searching, otherwise newest first), and all others. */
function ordersOf(names: Record<(typeof SORTS)[number], string>, byMatch: string | undefined) {
  const { '-createdAt': newest } = names
  const others = SORTS.filter((sort) => byMatch !== undefined || sort !== '-createdAt')
  return { all: byMatch ?? newest, orders: others.map((value) => ({ value, label: names[value] })) }
}
