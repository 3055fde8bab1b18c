import { ApiError } from '@mokuroku/contract/call'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { messageOf, sentenceOf, serverMessage } from '#api/errors.ts'
import type { Fields } from '#lib/editorText.ts'
import { VersionConflict } from '#lib/versionConflict.ts'
import { toast } from '#ui/toast.ts'
import { type Fault, faultOf } from './check.ts'
import { editorTexts } from './texts.ts'

export interface Saving<Entity> {
  /** Sends it; `base` is the version the change was made from, `runs` the AI answers that parts of it are from. */
  save: (body: Fields, base: number | undefined, runs: string[]) => Promise<Entity & { version: number }>
  /** After it is saved and said so, if the editor is still there: where to go next. */
  onSaved: (entity: Entity) => unknown
  /** Such as 'Media updated successfully' and 'Failed to update media'. */
  saved: string
  failed: string
}

interface Props<Entity> extends Saving<Entity> {
  onDone: () => void
  onStale: (stale: VersionConflict | undefined) => void
  onFaults: (faults: Fault[]) => void
}

export interface Sent {
  body: Fields
  base: number | undefined
  /** The user has just settled the conflicts, and need not be told that there were others. */
  settled: boolean
  runs: string[]
}

/** Saves once at a time, and sorts what can come of it. */
export function useSave<Entity>({ save, onSaved, saved, failed, onDone, onStale, onFaults }: Props<Entity>) {
  const running = useRef(false)
  const done = useRef(false)
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => void (here.current = false)
  }, [])
  const { mutate, isPending } = useMutation({
    mutationFn: ({ body, base, runs }: Sent) => save(body, base, runs),
    meta: { quiet: true },
    onSuccess: async (entity, { base, settled }) => {
      done.current = true
      onDone()
      toast.success(saved)
      // One version further is this save; more are those of others, which the server has kept.
      if (!settled && base !== undefined && entity.version > base + 1) toast.info(editorTexts.now().merged)
      if (here.current) await onSaved(entity)
    },
    onError: (error, { body }) => refused(error, body),
    onSettled: () => void (running.current = false),
  })

  function refused(error: Error, body: Fields) {
    if (!(error instanceof ApiError)) return toast.error(failed, messageOf(error))
    // Said already, on the way to the sign-in; the draft waits.
    if (error.status === 401) return
    const stale = error.status === 412 ? z.safeParse(VersionConflict, error.body) : undefined
    if (stale?.success) return onStale(stale.data)
    if (error.errors) {
      onStale(undefined)
      onFaults(error.errors.map((fault) => faultOf(fault, body)))
    }
    const first = error.errors?.[0]
    if (error.status === 400 && error.errors)
      return toast.error(failed, first && error.errors.length === 1 ? sentenceOf(first) : serverMessage(error))
    toast.error(failed, messageOf(error))
  }

  return {
    send: (sent: Sent) => {
      if (running.current || done.current) return
      running.current = true
      onFaults([])
      mutate(sent)
    },
    isPending,
    busy: () => running.current,
    done: () => done.current,
  }
}
