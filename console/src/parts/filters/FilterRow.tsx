import '@mantine/core/styles/Popover.layer.css'
import { Popover } from '@mantine/core'
import { ListFilter, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Total } from '@mokuroku/contract/call'
import { useLanguage } from '#i18n/messages.ts'
import { Button } from '#ui/Button.tsx'
import { useShortcut } from '#ui/useShortcut.ts'
import css from './FilterRow.module.css'
import { type FilterName, filtersIn, isActive, type ListState, without } from './filters.ts'
import { filterTexts } from './texts.ts'
import { useFilterText } from './useFilterText.ts'

const FilterForm = lazy(async () => ({ default: (await import('./FilterForm.tsx')).FilterForm }))

interface Props {
  /** The shape of the list's query: it says which filters there are. */
  shape: object
  state: ListState
  onState: (state: Partial<ListState>) => void
  /** How many match, once it is known. */
  count: Partial<Total>
}

/** Below the bar of a list: its active filters, each of which can be removed, a way to add one, and how many match. */
export function FilterRow({ shape, state, onState, count: { total, isMore } }: Props) {
  const texts = filterTexts.use()
  const language = useLanguage()
  const [edited, setEdited] = useState<FilterName | 'new'>()
  const names = filtersIn(shape)
  const active = names.filter((name) => isActive(name, state))
  useShortcut('f', () => setEdited('new'))
  const apply = (changed: Partial<ListState>) => {
    setEdited(undefined)
    onState(changed)
  }
  return (
    <div className={css.row}>
      <Popover
        opened={edited !== undefined}
        onChange={(opened) => !opened && setEdited(undefined)}
        position="bottom-start"
        width={320}
        withinPortal={false}
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button
            size="small"
            variant="quiet"
            icon={ListFilter}
            title={`${texts.add} (F)`}
            onClick={() => setEdited('new')}
          >
            {texts.add}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={texts.add}>
          <Suspense fallback={<div className={css.waiting} />}>
            {edited && (
              <FilterForm
                key={edited}
                names={names}
                first={edited === 'new' ? undefined : edited}
                state={state}
                onApply={apply}
              />
            )}
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      {active.length > 0 && (
        <ul className={css.chips} aria-label={texts.active}>
          {active.map((name) => (
            <Chip
              key={name}
              name={name}
              state={state}
              onEdit={() => setEdited(name)}
              onRemove={() => onState(without(name))}
            />
          ))}
        </ul>
      )}
      {active.length > 1 && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => onState(Object.assign({}, ...active.map((name) => without(name))) as Partial<ListState>)}
        >
          {texts.clear}
        </Button>
      )}
      {total !== undefined && (
        <p className={css.count} role="status">
          {texts.count(`${total.toLocaleString(language)}${isMore ? '+' : ''}`)}
        </p>
      )}
    </div>
  )
}

interface ChipProps {
  name: FilterName
  state: ListState
  onEdit: () => void
  onRemove: () => void
}

function Chip({ name, state, onEdit, onRemove }: ChipProps) {
  const texts = filterTexts.use()
  const text = useFilterText(name, state)
  return (
    <li className={css.chip}>
      <button type="button" className={css.text} title={texts.edit} onClick={onEdit}>
        {text}
      </button>
      <button
        type="button"
        className={css.remove}
        aria-label={texts.remove(text)}
        title={texts.remove(text)}
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
      </button>
    </li>
  )
}
