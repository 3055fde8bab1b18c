import { FloatingPanel } from '#ui/FloatingPanel.tsx'
import { FilterForm } from './FilterForm.tsx'
import type { FilterName, ListState } from './filters.ts'
import { rowTexts } from './rowTexts.ts'

interface Props {
  /** The filter being edited, a new one, or none. */
  edited: FilterName | 'new' | undefined
  names: readonly FilterName[]
  state: ListState
  onApply: (changed: Partial<ListState>) => void
  onClose: () => void
}

/** Panel with the form of one filter, below the button that adds one. */
export function FilterPanel({ edited, names, state, onApply, onClose }: Props) {
  const texts = rowTexts.use()
  return (
    <FloatingPanel
      label={texts.add}
      opened={edited !== undefined}
      onClose={onClose}
      position="bottom-start"
      width={320}
    >
      {edited && (
        <FilterForm
          key={edited}
          names={names}
          first={edited === 'new' ? undefined : edited}
          state={state}
          onApply={onApply}
        />
      )}
    </FloatingPanel>
  )
}
