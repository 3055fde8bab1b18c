import type { Translated } from '@mokuroku/contract/kinds'
import { BookmarkPlus } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import { useKeptState } from '#parts/useKeptState.ts'
import { Button } from '#ui/Button.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import { shownView } from './shownView.ts'
import { viewTexts } from './texts.ts'
import { viewOf } from './viewQuery.ts'

const ViewDialog = lazyOverlay(() => import('./ViewDialog.tsx'), 'ViewDialog')

interface Props {
  kind: Translated
  /** The filters and the order of the list: what it ignores in the URL is no part of the view. */
  state: Readonly<Record<string, unknown>>
  /** The columns of the list; empty for the default ones. */
  columns: readonly string[]
}

/** Button that saves the list's current filters, order and columns as a view. */
export function SaveView({ kind, state, columns }: Props) {
  const texts = viewTexts.use()
  const [isOpen, setOpen] = useKeptState(`new view of ${kind}`, false)
  const current = viewOf(state, columns)
  useEffect(() => shownView.set(current))
  useEffect(() => () => shownView.set(undefined), [])
  return (
    <>
      <Button icon={BookmarkPlus} title={texts.save} onClick={() => setOpen(true)}>
        <span className="wide-only">{texts.save}</span>
      </Button>
      <Suspense>{isOpen && <ViewDialog kind={kind} current={current} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
