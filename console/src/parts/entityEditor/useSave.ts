import { ApiError } from '@mokuroku/contract/call'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { messageOf, requestIdOf, sentenceOf, serverMessage } from '#i18n/errors.ts'
import { isUncertain } from '#lib/errorStatus.ts'
import type { Fields } from '#lib/editorText.ts'
import { type VersionConflict, versionConflictOf } from '#lib/versionConflict.ts'
import type { Attempt } from '#parts/area/create.ts'
import { dismiss, toast } from '#ui/toast.ts'
import { useIsMounted } from '#ui/useIsMounted.ts'
import { type Fault, faultOf } from './check.ts'
import { editorTexts } from './texts.ts'
import type { useUnanswered } from './useUnanswered.ts'

export interface Saving<Entity> {
  /**
   * Sends the request; `base` is the version that the change is based on, `runs` the AI runs that parts of it came
   * from, `attempt` the earlier attempts to create a new entity.
   */
  save: (
    body: Fields,
    base: number | undefined,
    runs: string[],
    attempt: Attempt,
  ) => Promise<Entity & { version: number }>
  /** Called after the success toast, if the editor is still mounted: navigates on. */
  onSaved: (entity: Entity) => unknown
  /** Toasts such as 'Media updated successfully' and 'Failed to update media'. */
  saved: string
  failed: string
}

interface Props<Entity> extends Saving<Entity> {
  attempt: Attempt
  unanswered: ReturnType<typeof useUnanswered>
  /** Called when it is sent, and when it has failed. */
  onSent: () => void
  onDone: () => void
  /** Called if the user is still in the editor after `onSaved`. */
  onStayed: (entity: Entity & { version: number }) => void
  onStale: (stale: VersionConflict | undefined) => void
  onFaults: (faults: Fault[]) => void
}

export interface Sent {
  body: Fields
  base: number | undefined
  /** The user has just resolved conflicts, and knows about the others' changes. */
  settled: boolean
  runs: string[]
}

/** Saves, at most one request at a time, and handles every outcome. */
export function useSave<Entity>({
  save,
  onSaved,
  saved,
  failed,
  attempt,
  unanswered,
  onSent,
  onDone,
  onStayed,
  onStale,
  onFaults,
}: Props<Entity>) {
  const running = useRef(false)
  const done = useRef(false)
  /** The toast of the last failure. */
  const failure = useRef(0)
  const isMounted = useIsMounted()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ body, base, runs }: Sent) => {
      const answer = save(body, base, runs, attempt).catch((error: unknown) => {
        const conflict = versionConflictOf(error)
        if (!conflict || !unanswered.includes(conflict.theirs)) throw error
        // What this save conflicts with is an earlier one of this editor.
        return save(body, conflict.version, runs, attempt)
      })
      onSent()
      return answer
    },
    meta: { quiet: true },
    onSuccess: async (entity, { base, settled }) => {
      done.current = true
      onDone()
      confirm()
      // Versions beyond those that this editor has saved are other users' changes, which the server merged.
      if (!settled && base !== undefined && entity.version > base + 1 + unanswered.count)
        toast.info(editorTexts.get().merged)
      if (isMounted()) await onSaved(entity)
      // Back may have ended the navigation while the code of the next screen was loading.
      if (!isMounted()) return
      done.current = false
      onStayed(entity)
    },
    onError: (error, { body }) => {
      onSent()
      if (isUncertain(error)) unanswered.add(body)
      refused(error, body)
    },
    onSettled: () => void (running.current = false),
  })

  function confirm() {
    dismiss(failure.current)
    toast.success(saved)
  }
  const fail = (reason: string | undefined, requestId?: string) =>
    void (failure.current = toast.error(failed, reason, requestId))

  function refused(error: Error, body: Fields) {
    if (!(error instanceof ApiError)) return fail(messageOf(error))
    // `handleExpiredToken` has already shown a toast; the draft is kept.
    if (error.status === 401) return
    const stale = versionConflictOf(error)
    if (stale) return onStale(stale)
    if (error.errors) {
      onStale(undefined)
      onFaults(error.errors.map((fault) => faultOf(fault, body)))
    }
    const first = error.errors?.[0]
    if (error.status === 400 && error.errors)
      return fail(first && error.errors.length === 1 ? sentenceOf(first) : serverMessage(error))
    fail(messageOf(error), requestIdOf(error))
  }

  return {
    send: (sent: Sent) => {
      if (running.current || done.current) return
      running.current = true
      onFaults([])
      mutate(sent)
    },
    /** Says that it is saved. */
    confirm,
    isPending,
    busy: () => running.current,
    done: () => done.current,
  }
}
