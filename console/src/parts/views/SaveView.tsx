import type { Translated } from '@mokuroku/contract/kinds'
import { useSearch } from '@tanstack/react-router'
import { BookmarkPlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import { viewTexts } from './texts.ts'

import { viewOf } from './viewQuery.ts'

const ViewDialog = lazyOverlay(() => import('./ViewDialog.tsx'), 'ViewDialog')

interface Props {
  kind: Translated
  /** The columns of the list; empty for the default ones. */
  columns: readonly string[]
}

/** Button that saves the list's current filters, order and columns as a view. */
export function SaveView({ kind, columns }: Props) {
  const texts = viewTexts.use()
  const [isOpen, setOpen] = useState(false)
  const search: Record<string, unknown> = useSearch({ strict: false })
  return (
    <>
      <Button icon={BookmarkPlus} title={texts.save} onClick={() => setOpen(true)}>
        <span className="wide-only">{texts.save}</span>
      </Button>
      <Suspense>
        {isOpen && <ViewDialog kind={kind} current={viewOf(search, columns)} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
