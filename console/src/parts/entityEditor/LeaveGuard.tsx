import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router'
import { session } from '#api/session.ts'
import { usePendingValues } from '#parts/pendingValues.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { isTraversal, layers } from '#ui/useClosedByBack.ts'
import { editorTexts } from './texts.ts'

interface Props {
  /** Called at the moment of leaving. */
  unsaved: () => boolean
  /** Warning for editors that keep no draft. */
  question?: string
  /** The changes are kept when only the query of the URL changes. */
  isKeptOnPath?: boolean
}

/**
 * Asks for confirmation before unsaved changes are left, or values that are still to become part of them: by a link,
 * Back, reloading or closing.
 */
export function LeaveGuard({ unsaved, question, isKeptOnPath = false }: Props) {
  const editor = editorTexts.use()
  const isPending = usePendingValues()
  // When the session ends, the user has no choice; the draft is kept for the next one.
  const asks = () => (unsaved() || isPending()) && session.get().state === 'in'
  // Back closes an open dialog instead.
  const shouldBlockFn: ShouldBlockFn = ({ action, current, next }) =>
    !(isTraversal(action) && layers.size > 0) && !(isKeptOnPath && current.pathname === next.pathname) && asks()
  const leaving = useBlocker({ shouldBlockFn, enableBeforeUnload: asks, withResolver: true })
  if (leaving.status !== 'blocked') return null
  return (
    <Dialog
      isOfNavigation
      title={editor.leave.title}
      onClose={leaving.reset}
      footer={
        <>
          <Button onClick={leaving.proceed}>{editor.leave.leave}</Button>
          <Button variant="primary" data-autofocus onClick={leaving.reset}>
            {editor.leave.stay}
          </Button>
        </>
      }
    >
      <p>{isPending() && !unsaved() ? editor.leave.pending : (question ?? editor.leave.question)}</p>
    </Dialog>
  )
}
