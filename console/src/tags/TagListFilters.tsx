import { TAG_TYPES } from '@mokuroku/contract/tags'
import { Search } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { Button } from '#ui/Button.tsx'
import { SelectField, TextField } from '#ui/Field.tsx'
import css from './TagList.module.css'

interface Filters {
  search?: string | undefined
  type?: (typeof TAG_TYPES)[number] | undefined
}

interface Props {
  /** What the address says. */
  applied: Filters
  onApply: (filters: Filters, how?: { replace?: boolean }) => void
  onReset: () => void
}

/** The line above the cards. A type applies at once, a search once the typing rests (specification 9). */
export function TagListFilters({ applied: { search = '', type }, onApply, onReset }: Props) {
  const { tags: texts, common } = useMessages()
  const [text, setText] = useSearchText(search, (next) => onApply({ search: next || undefined }, { replace: true }))
  const types = TAG_TYPES.map((value) => ({ value, label: texts.types[value] }))
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
        onChange={(value) => onApply({ type: TAG_TYPES.find((each) => each === value) })}
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
