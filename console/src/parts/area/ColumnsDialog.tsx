import { useMessages } from '#i18n/messages.ts'
import { Button } from '#ui/Button.tsx'
import { CheckList } from '#ui/CheckList.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import type { Column } from '#ui/Table.tsx'
import type { Area, Stored } from './area.ts'
import { columnTexts } from './columnTexts.ts'
import { shownOf } from './listColumns.tsx'
import { useColumns } from './useColumns.ts'

interface Props {
  area: Area
  columns: readonly Column<Stored>[]
  hasCards: boolean
  onClose: () => void
}

/** Chooses the columns of a list, or to show it as cards; applies immediately. */
export function ColumnsDialog({ area, columns, hasCards, onClose }: Props) {
  const texts = columnTexts.use()
  const { shell } = useMessages()
  const { columns: chosen, isInUrl, choose } = useColumns(area.kind)
  const [, ...others] = columns
  const usual = keysOf(shownOf([...columns], []))
  const shown = new Set(keysOf(shownOf([...columns], chosen)))
  const isCards = hasCards && chosen.length === 0
  const toggle = (key: string) => {
    const next = keysOf(columns).filter((each) => (each === key ? !shown.has(key) : shown.has(each)))
    if (next.length > 0) choose(!hasCards && next.join() === usual.join() ? [] : next)
  }
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      footer={
        <>
          {!hasCards && (
            <Button once onClick={() => choose([])}>
              {texts.usual}
            </Button>
          )}
          <Button variant="primary" onClick={onClose}>
            {shell.close}
          </Button>
        </>
      }
    >
      <Stack gap={3}>
        {hasCards && (
          <SelectField
            label={texts.layout}
            value={isCards ? 'cards' : 'table'}
            options={[
              { value: 'cards', label: texts.cards },
              { value: 'table', label: texts.table },
            ]}
            onChange={(layout) => choose(layout === 'cards' ? [] : usual)}
          />
        )}
        {!isCards && (
          <CheckList
            label={texts.title}
            items={others.map(({ key, head }) => ({ key, label: head, isChecked: shown.has(key) }))}
            onToggle={toggle}
          />
        )}
        <Muted as="p">{isInUrl ? texts.inView : texts.hint}</Muted>
      </Stack>
    </Dialog>
  )
}

/** The keys of all columns except the first, which is always shown. */
const keysOf = (columns: readonly Column<Stored>[]): string[] => columns.slice(1).map(({ key }) => key)
