import { X } from 'lucide-react'
import { Button } from '#ui/Button.tsx'
import { Row, Truncate } from '#ui/layout.tsx'
import css from './FilterRow.module.css'
import { type FilterName, type ListState, without } from './filters.ts'
import { filterTexts } from './texts.ts'
import { useFilterText } from './useFilterText.ts'

interface Props {
  active: readonly FilterName[]
  state: ListState
  onState: (state: Partial<ListState>) => void
  onEdit: (name: FilterName) => void
}

/** The active filters in words: each can be edited or removed, and all can be cleared. */
export function Chips({ active, state, onState, onEdit }: Props) {
  const texts = filterTexts.use()
  const clear = () => onState(Object.assign({}, ...active.map((name) => without(name))) as Partial<ListState>)
  return (
    <>
      <Row as="ul" gap={2} align="stretch" wrap aria-label={texts.active}>
        {active.map((name) => (
          <Chip
            key={name}
            name={name}
            state={state}
            onEdit={() => onEdit(name)}
            onRemove={() => onState(without(name))}
          />
        ))}
      </Row>
      {active.length > 1 && (
        <Button size="small" variant="quiet" onClick={clear}>
          {texts.clear}
        </Button>
      )}
    </>
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
      <Truncate as="button" type="button" className={css.text} title={texts.edit} onClick={onEdit}>
        {text}
      </Truncate>
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
