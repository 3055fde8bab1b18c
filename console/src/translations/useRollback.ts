import { ApiError } from '@mokuroku/contract/call'
import { type HistoryEntry, historyApi } from '@mokuroku/contract/history'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { useMe } from '#api/session.ts'
import { toastFailure } from '#api/queryClient.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { toast } from '#ui/toast.ts'
import { translationTexts } from './texts.ts'

/** How many of the newest changes are searched for the one that a rollback made. */
const NEWEST = 100

/** Rolls back a change. `current` is the stored text, if it is no longer the one that the change wrote. */
export function useRollback(entry: HistoryEntry, onDone: () => void) {
  const me = useMe()
  const [current, setCurrent] = useState<string>()
  const [times, setTimes] = useState(0)
  const undo = useMutation({
    mutationFn: () => rollbackTheRollback(entry, me._id),
    meta: { quiet: true },
    onSuccess: () => toast.success(translationTexts.get().panel.undone),
    onError: reportFailure,
  })
  const { mutate, isPending } = useMutation({
    mutationFn: (reason: string) =>
      call(historyApi.rollback, {
        id: entry._id,
        body: { reason, ...(current !== undefined && { current }) },
      }),
    meta: { quiet: true },
    onSuccess: () => {
      offerUndo(translationTexts.get().panel.done, () => undo.mutateAsync())
      onDone()
    },
    onError: (error) => {
      const now = textSince(error)
      if (now !== undefined) {
        setCurrent(now)
        setTimes(times + 1)
        return
      }
      reportFailure(error)
      // Retrying from here would not help.
      if (error instanceof ApiError && [404, 409].includes(error.status)) onDone()
    },
  })
  return { rollback: mutate, isPending, current, changedAgain: times > 1 }
}

/** The current text, if the rollback was refused because it has changed. */
function textSince(error: Error): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 409 || error.code !== 'changed') return undefined
  const { current } = error.body as { current?: unknown }
  return typeof current === 'string' ? current : undefined
}

const reportFailure = (error: Error) => toastFailure(translationTexts.get().panel.failed, error)

/** Undoes a rollback: it is a change as well, which is looked up among the newest and rolled back like any other. */
async function rollbackTheRollback({ entityType, entityId, language, field, oldValue }: HistoryEntry, me: string) {
  const { data } = await call(historyApi.recent, { query: { limit: NEWEST, language, entityType } })
  const own = data.find(
    (each) =>
      each.entityId === entityId &&
      each.language === language &&
      each.field === field &&
      each.newValue === oldValue &&
      each.updatedById === me,
  )
  const { panel } = translationTexts.get()
  if (!own) throw new ApiError(409, { message: panel.undoGone })
  return call(historyApi.rollback, { id: own._id, body: { reason: panel.undoReason } })
}
