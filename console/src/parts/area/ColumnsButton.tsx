import { Columns3 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { Button } from '#ui/Button.tsx'
import type { Column } from '#ui/Table.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import type { Area, Stored } from './area.ts'
import { columnTexts } from './columnTexts.ts'

const ColumnsDialog = lazyOverlay(() => import('./ColumnsDialog.tsx'), 'ColumnsDialog')

interface Props {
  area: Area
  columns: readonly Column<Stored>[]
  /** Whether the list is shown as cards if no columns are chosen. */
  hasCards: boolean
  /** Whether it is one of the buttons in the page header. */
  inHead: boolean
}

/** Button that opens the dialog for choosing a list's columns. */
export function ColumnsButton({ inHead, ...props }: Props) {
  const texts = columnTexts.in(useLanguage())
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size={inHead ? undefined : 'small'}
        variant="quiet"
        icon={Columns3}
        title={texts.columns}
        onClick={() => setOpen(true)}
      >
        <span className="wide-only">{texts.columns}</span>
      </Button>
      <Suspense>{isOpen && <ColumnsDialog {...props} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
