import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/** The open dialogs that going back closes, the topmost last. */
export const layers = new Set<object>()

/** Whether a navigation goes back or forward in the history. */
export const isTraversal = (action: string) => action !== 'PUSH' && action !== 'REPLACE'

/** Going back or forward in the history closes only the topmost dialog: the screen that it is about stays behind it. */
export function useClosedByBack(onClose: () => void, isOff?: boolean) {
  const { history } = useRouter()
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (isOff) return
    const blockerFn = ({ action }: { action: string }) => {
      if (!isTraversal(action) || [...layers].pop() !== blockerFn) return false
      close()
      return true
    }
    layers.add(blockerFn)
    const unblock = history.block({ blockerFn, enableBeforeUnload: false })
    return () => {
      layers.delete(blockerFn)
      unblock()
    }
  }, [history, isOff])
}
