import { MEDIA_TYPES, mediaApi } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ListFilter } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import { Button } from '#ui/Button.tsx'
import { SelectField } from '#ui/Field.tsx'
import css from './MediaList.module.css'

/** Specification 9: fetch 50 recent items, show 10. */
const RECENT = { fetched: 50, shown: 10 }

interface Filters {
  search?: string | undefined
  type?: (typeof MEDIA_TYPES)[number] | undefined
  isOngoing?: boolean | undefined
}

interface Props {
  /** What the address says. */
  applied: Filters
  onApply: (filters: Filters) => void
  onReset: () => void
}

/** The line above the table. What is chosen here applies with Filter, or Enter; the address follows. */
export function MediaListFilters({ applied, onApply, onReset }: Props) {
  const { media: texts, common } = useMessages()
  const navigate = useNavigate()
  const me = useMe()
  const [draft, setDraft] = useDraft(applied)
  const [entered, setEntered] = useState(false)
  const recent = useQuery({
    ...q(mediaApi.list, { query: { userId: me._id, limit: RECENT.fetched } }),
    select: newest,
    enabled: entered,
    meta: { quiet: true },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { search, type, isOngoing } = draft
    onApply({ search: search?.trim() || undefined, type, isOngoing })
  }
  const types = MEDIA_TYPES.map((value) => ({ value, label: texts.types[value] }))
  return (
    <form role="search" aria-label={texts.filters} className={css.filters} onSubmit={submit}>
      <SearchSelect
        index="media"
        className={css.search}
        label={texts.search}
        placeholder={texts.searchHint}
        text={draft.search ?? ''}
        onText={(search) => setDraft({ ...draft, search })}
        onChoose={({ _id }) => void navigate({ to: `/media/${_id}`, state: { list: location.search } })}
        recent={recent}
        onEnter={() => setEntered(true)}
        recentTitle={texts.recent}
        recentFailed={texts.recentFailed}
      />
      <SelectField
        hideLabel
        className={css.choice}
        label={texts.type}
        value={draft.type ?? ''}
        options={[{ value: '', label: texts.allTypes }, ...types]}
        onChange={(value) => setDraft({ ...draft, type: MEDIA_TYPES.find((type) => type === value) })}
      />
      <SelectField
        hideLabel
        className={css.choice}
        label={texts.status}
        value={draft.isOngoing === undefined ? '' : String(draft.isOngoing)}
        options={[
          { value: '', label: texts.allStatus },
          { value: 'true', label: texts.ongoing },
          { value: 'false', label: texts.completed },
        ]}
        onChange={(value) => setDraft({ ...draft, isOngoing: value === '' ? undefined : value === 'true' })}
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

function newest<Row extends { createdAt: string }>(rows: Row[]): Row[] {
  return rows.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt)).slice(0, RECENT.shown)
}
