import type { Translated } from '@mokuroku/contract/kinds'
import { Download } from 'lucide-react'
import { Suspense } from 'react'
import { useKeptState } from '#parts/useKeptState.ts'
import { rowTexts } from '#parts/filters/rowTexts.ts'
import { Button } from '#ui/Button.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import type { Area, Rows, Stored } from './area.ts'

const ExportDialog = lazyOverlay(() => import('#parts/selection/ExportDialog.tsx'), 'ExportDialog')

interface Props {
  kind: Translated
  area: Area
  /** The list's filters in the URL. */
  filters: Record<string, unknown>
  found: Rows<Stored> | undefined
}

/** Button that exports everything that the list shows on all its pages. */
export function ExportButton({ kind, area, filters, found }: Props) {
  const texts = rowTexts.use()
  const [isOpen, setOpen] = useKeptState(`export of ${kind}`, false)
  return (
    <>
      <Button size="small" variant="quiet" icon={Download} title={texts.export} onClick={() => setOpen(true)}>
        <span className="wide-only">{texts.export}</span>
      </Button>
      <Suspense>
        {isOpen && (
          <ExportDialog
            kind={kind}
            fields={Object.keys(area.editor.schema.shape)}
            target={{ filter: filters }}
            size={found?.total}
            isMore={found?.isMore}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}
