import { ApiError } from '@mokuroku/contract/call'
import { type HistoryEntry, historyApi } from '@mokuroku/contract/history'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { messageOf } from '#api/errors.ts'
import { useMe } from '#api/session.ts'
import { toast } from '#ui/toast.ts'
import { translationTexts } from './texts.ts'

/** As many of the newest changes are searched for the one that a rollback made. */
const NEWEST = 100

/** Writes the old text of a change again. `current` is the text that stands there when it is not the change's own. */
export function useRollback(entry: HistoryEntry, onDone: () => void) {
  const me = useMe()
  const [current, setCurrent] = useState<string>()
  const [times, setTimes] = useState(0)
  const undo = useMutation({
    mutationFn: () => rollbackTheRollback(entry, me._id),
    meta: { quiet: true },
    onSuccess: () => toast.success(translationTexts.now().panel.undone),
    onError: showToast,
  })
  const { mutate, isPending } = useMutation({
    mutationFn: (reason: string) =>
      call(historyApi.rollback, {
        id: entry._id,
        body: { reason, ...(current !== undefined && { current }) },
      }),
    meta: { quiet: true },
    onSuccess: () => {
      toast.undo(translationTexts.now().panel.done, () => undo.mutate())
      onDone()
    },
    onError: (error) => {
      const now = textSince(error)
      if (now !== undefined) {
        setCurrent(now)
        setTimes(times + 1)
        return
      }
      showToast(error)
      // Nothing that is tried again from here would go differently.
      if (error instanceof ApiError && [404, 409].includes(error.status)) onDone()
    },
  })
  return { rollback: mutate, isPending, current, changedAgain: times > 1 }
}

/** The text that stands there now, when the refusal is about that. */
function textSince(error: Error): string | undefined {
  if (!(error instanceof ApiError) || error.status !== 409 || error.code !== 'changed') return undefined
  const { current } = error.body as { current?: unknown }
  return typeof current === 'string' ? current : undefined
}

function showToast(error: Error) {
  // The end of the session has been told already.
  if (error instanceof ApiError && error.status === 401) return
  toast.error(translationTexts.now().panel.failed, messageOf(error))
}

/** A rollback is a change as well: it is found among the newest, and taken back like any other. */
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
  const { panel } = translationTexts.now()
  if (!own) throw new ApiError(409, { message: panel.undoGone })
  return call(historyApi.rollback, { id: own._id, body: { reason: panel.undoReason } })
}
