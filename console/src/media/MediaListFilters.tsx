import { MEDIA_SORTS, MEDIA_TYPES, type MediaQuery } from '@mokuroku/contract/media'
import { useNavigate } from '@tanstack/react-router'
import { ListFilter } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type * as z from 'zod/mini'
import { useMessages } from '#i18n/messages.ts'
import type { FiltersProps } from '#parts/area/area.ts'
import { screenOf } from '#lib/areas.ts'
import { mediaTypes } from '#parts/mediaTypes.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import { useRecentMedia } from '#parts/useRecent.ts'
import { Button } from '#ui/Button.tsx'
import { SelectField } from '#ui/Field.tsx'
import css from './MediaList.module.css'
import { mediaTexts } from './texts.ts'

type Filters = Omit<Partial<z.output<typeof MediaQuery>>, 'page' | 'limit' | 'userId'>

/** The line above the table. Filters apply with Filter, or Enter, and the order at once; the address follows. */
export function MediaListFilters({ applied, onApply, onReset }: FiltersProps<Filters>) {
  const texts = mediaTexts.use()
  const types = mediaTypes.use()
  const { common, media } = useMessages()
  const navigate = useNavigate()
  const [draft, setDraft] = useDraft(applied)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply(draft)
  }
  const apply = ({ search, ...others }: Filters) => onApply({ ...others, search: search?.trim() || undefined })
  const choices = MEDIA_TYPES.map((value) => ({ value, label: types[value] }))
  const orders = ordersOf(texts.sorts, applied.search ? common.bestMatch : undefined)
  return (
    <form role="search" aria-label={texts.filters} className={css.filters} onSubmit={submit}>
      <SearchSelect
        index="media"
        className={css.search}
        label={texts.search}
        placeholder={texts.searchHint}
        text={draft.search ?? ''}
        onText={(search) => setDraft({ ...draft, search })}
        onChoose={({ _id }) => void navigate({ to: screenOf('Media', _id) })}
        {...useRecentMedia()}
        recentTitle={media.recent}
      />
      <SelectField
        hideLabel
        className={css.choice}
        label={texts.type}
        value={draft.type ?? ''}
        options={[{ value: '', label: texts.allTypes }, ...choices]}
        onChange={(value) => setDraft({ ...draft, type: MEDIA_TYPES.find((type) => type === value) })}
      />
      <SelectField
        hideLabel
        className={css.choice}
        label={texts.status}
        value={draft.isOngoing === undefined ? '' : String(draft.isOngoing)}
        options={[
          { value: '', label: texts.allStatus },
          { value: 'true', label: media.ongoing },
          { value: 'false', label: media.completed },
        ]}
        onChange={(value) => setDraft({ ...draft, isOngoing: value === '' ? undefined : value === 'true' })}
      />
      <SelectField
        hideLabel
        className={css.order}
        label={texts.sort}
        value={orders.find(({ value }) => value === applied.sort)?.value ?? ''}
        options={orders}
        onChange={(value) => apply({ ...draft, sort: SORTS.find((sort) => sort === value) })}
      />
      <div className={css.submit}>
        <Button type="submit" icon={ListFilter}>
          {common.filter}
        </Button>
        <Button
          variant="quiet"
          onClick={() => {
            setDraft({})
            onReset()
          }}
        >
          {common.reset}
        </Button>
      </div>
    </form>
  )
}

const SORTS = MEDIA_SORTS.flatMap((name) => [`-${name}`, name] as const)

/** Every order, that without a choice first: by match while searching, else newest first. */
function ordersOf(names: Record<(typeof SORTS)[number], string>, byMatch: string | undefined) {
  const { '-createdAt': newest } = names
  const others = SORTS.filter((sort) => byMatch !== undefined || sort !== '-createdAt')
  return [{ value: '', label: byMatch ?? newest }, ...others.map((sort) => ({ value: sort, label: names[sort] }))]
}

/** What is chosen and not applied yet. It follows the address when that changes: by Back, by a link, by Reset. */
function useDraft(applied: Filters) {
  const [seen, setSeen] = useState(applied)
  const [draft, setDraft] = useState(applied)
  if (seen !== applied) {
    setSeen(applied)
    setDraft(applied)
  }
  return [draft, setDraft] as const
}
