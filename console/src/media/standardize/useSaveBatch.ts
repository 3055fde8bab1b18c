import { aiApi, type BatchItem } from '@mokuroku/contract/ai'
import { historyApi } from '@mokuroku/contract/history'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { localized } from '#i18n/errors.ts'
import { refreshed } from '#api/queryClient.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { toast } from '#ui/toast.ts'
import { standardizeTexts } from './texts.ts'

const NONE: ReadonlyMap<string, string> = new Map()

/**
 * Saves the accepted texts as one batch; the toast offers to roll it back. Returns the reasons for media that failed.
 */
export function useSaveBatch(runs: readonly string[], onSaved: (ids: ReadonlySet<string>) => void) {
  const texts = standardizeTexts.use()
  const [problems, setProblems] = useState(NONE)
  const undo = useMutation({
    mutationFn: (batch: string) => call(historyApi.rollbackAll, { body: { batch, reason: texts.undoReason } }),
    meta: { failure: texts.undoFailed },
    onSuccess: () => toast.success(texts.undone),
  })
  const saving = useMutation({
    mutationFn: (body: BatchItem[]) => call(aiApi.saveBatch, { body, runs: [...runs] }),
    meta: { failure: texts.saveFailed },
    onSuccess: async ({ count, message, errors, batch }, body) => {
      setProblems(new Map(errors.map((error) => [error.id, localized(error.message)])))
      if (batch) offerUndo(texts.saved(count), () => undo.mutateAsync(batch))
      else toast.error(localized(message))
      const refused = new Set(errors.map(({ id }) => id))
      // Wait for the refetch: the screen must show the stored texts before saved media leave the list.
      await refreshed()
      onSaved(new Set(body.map(({ id }) => id).filter((id) => !refused.has(id))))
    },
  })
  return { save: (items: BatchItem[]) => saving.mutate(items), busy: saving.isPending, problems }
}
