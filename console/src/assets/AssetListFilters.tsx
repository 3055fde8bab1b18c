import { ASSET_STATUSES, ASSET_TYPES, type AssetStatus, type AssetType } from '@mokuroku/contract/assets'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { Button } from '#ui/Button.tsx'
import { SelectField, TextField } from '#ui/Field.tsx'
import css from './AssetList.module.css'

interface Filters {
  search?: string | undefined
  type?: AssetType | undefined
  status?: AssetStatus | undefined
}

interface Props {
  /** What the address says. */
  applied: Filters
  onApply: (filters: Filters, how?: { replace?: boolean }) => void
  onReset: () => void
}

/** The line above the cards. Type and status apply at once, a search once the typing rests (specification 9). */
export function AssetListFilters({ applied: { search = '', type, status }, onApply, onReset }: Props) {
  const { assets: texts, common } = useMessages()
  const [text, setText] = useSearchText(search, (next) => onApply({ search: next || undefined }, { replace: true }))
  const types = ASSET_TYPES.map((value) => ({ value, label: texts.typeFilter[value] }))
  const statuses = ASSET_STATUSES.map((value) => ({ value, label: texts.statuses[value] }))
  return (
    <search aria-label={texts.filters} className={css.filters}>
      <TextField
        type="search"
        hideLabel
        icon={Search}
        className={css.search}
        label={texts.search}
        placeholder={texts.searchHint}
        value={text}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return
          event.preventDefault()
          setText('')
        }}
      />
      <SelectField
        hideLabel
        className={css.choice}
        label={texts.type}
        value={type ?? ''}
        options={[{ value: '', label: texts.allTypes }, ...types]}
        onChange={(value) => onApply({ type: ASSET_TYPES.find((each) => each === value) })}
      />
      <SelectField
        hideLabel
        className={css.choice}
        label={texts.status}
        value={status ?? ''}
        options={[{ value: '', label: texts.allStatus }, ...statuses]}
        onChange={(value) => onApply({ status: ASSET_STATUSES.find((each) => each === value) })}
      />
      <Button
        variant="quiet"
        onClick={() => {
          setText('')
          onReset()
        }}
      >
        {common.reset}
      </Button>
    </search>
  )
}

/** What is typed. It applies when it has rested, and follows the address when that changes: by Back, by Reset. */
function useSearchText(applied: string, apply: (text: string) => void) {
  const [seen, setSeen] = useState(applied)
  const [text, setText] = useState(applied)
  if (seen !== applied) {
    setSeen(applied)
    if (text.trim() !== applied) setText(applied)
  }
  const rested = useDebounced(text.trim())
  const onRest = useEffectEvent((wanted: string) => {
    if (wanted !== applied && wanted === text.trim()) apply(wanted)
  })
  useEffect(() => onRest(rested), [rested])
  return [text, setText] as const
}
