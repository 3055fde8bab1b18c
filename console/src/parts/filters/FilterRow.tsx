import { ListFilter } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import type { Total } from '@mokuroku/contract/call'
import { useLanguage } from '#i18n/messages.ts'
import { Button } from '#ui/Button.tsx'
import { Dropdown } from '#ui/Dropdown.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { lazyOverlay, lazyPart } from '#ui/lazyPart.tsx'
import { useShortcut } from '#ui/useShortcut.ts'
import css from './FilterRow.module.css'
import { type FilterName, filtersIn, isActive, type ListState } from './filters.ts'
import { rowTexts } from './rowTexts.ts'

const Chips = lazyPart(() => import('./Chips.tsx'), 'Chips')
const loadPanel = () => import('./FilterPanel.tsx')
const FilterPanel = lazyOverlay(loadPanel, 'FilterPanel')

interface Props {
  /** Shape of the list's query schema, which determines the available filters. */
  shape: object
  state: ListState
  onState: (state: Partial<ListState>) => void
  /** How many rows match, once known. */
  count: Partial<Total>
  /** Shown before the filters. */
  children?: ReactNode
  /** Shown after the filters. */
  end?: ReactNode
}

/**
 * Row below a list's filter bar: the active filters, each removable, a button to add one, and the number of matches.
 */
export function FilterRow({ shape, state, onState, count: { total, isMore }, children, end }: Props) {
  const texts = rowTexts.use()
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
    <Row gap={2} wrap className={css.row}>
      {children}
      <Dropdown
        opened={edited !== undefined}
        onOpened={(opened) => setEdited(opened ? 'new' : undefined)}
        load={loadPanel}
        renderButton={(props) => (
          <Button
            {...props}
            size="small"
            variant="quiet"
            icon={ListFilter}
            title={`${texts.add} (F)`}
            aria-haspopup="dialog"
          >
            {texts.add}
          </Button>
        )}
      >
        <FilterPanel edited={edited} names={names} state={state} onApply={apply} onClose={() => setEdited(undefined)} />
      </Dropdown>
      {active.length > 0 && (
        <Suspense fallback={<Row gap={2} align="stretch" wrap />}>
          <Chips active={active} state={state} onState={onState} onEdit={setEdited} />
        </Suspense>
      )}
      <Row gap={2} className={css.end}>
        {total !== undefined && (
          <Muted as="p" className={css.count} role="status">
            {texts.count(`${total.toLocaleString(language)}${isMore ? '+' : ''}`)}
          </Muted>
        )}
        {end}
      </Row>
    </Row>
  )
}
