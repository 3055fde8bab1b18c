import { ApiError } from '@mokuroku/contract/call'
import { type Revision, revisionsApi } from '@mokuroku/contract/revisions'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#api/call.ts'
import { messageOf } from '#api/errors.ts'
import { type Side, VersionConflict } from '#lib/versionConflict.ts'
import { toast } from '#ui/toast.ts'
import type { Revised } from './revised.ts'
import { historyTexts } from './texts.ts'

interface RestoreRequest {
  revision: Revision
  paths: string[]
  /** The version that was looked at. */
  base: number
  /** What was chosen to be overwritten, and the version it then has. */
  settled?: { version: number; paths: string[] }
}

/** Puts back what a version held, and offers to undo that; what others changed since is asked about, as in an editor. */
export function useRestore(of: Revised, id: string) {
  const [refused, setRefused] = useState<{ asked: RestoreRequest; stale: VersionConflict }>()
  const undo = useMutation({
    mutationFn: ({ asked, version }: { asked: RestoreRequest; version: number }) => putBack(of, id, asked, version),
    meta: { quiet: true },
    onSuccess: () => toast.success(historyTexts.now().undone),
    onError: (error) => showToast(historyTexts.now().undoFailed, error),
  })
  const { mutate, isPending } = useMutation({
    mutationFn: ({ revision, paths, base, settled }: RestoreRequest) =>
      call(revisionsApi.restore, { id: revision._id, body: { paths, base, ...(settled && { settled }) } }),
    meta: { quiet: true },
    onSuccess: ({ version }, asked) => {
      const texts = historyTexts.now()
      setRefused(undefined)
      if (version === asked.base) toast.info(texts.restoreNothing)
      else toast.undo(texts.restoreDone(asked.revision.version), () => undo.mutate({ asked, version }))
    },
    onError: (error, asked) => {
      const stale =
        error instanceof ApiError && error.status === 412 ? z.safeParse(VersionConflict, error.body) : undefined
      if (stale?.success) return setRefused({ asked, stale: stale.data })
      showToast(historyTexts.now().restoreFailed, error)
    },
  })

  return {
    isPending,
    stale: refused?.stale,
    forget: () => setRefused(undefined),
    send: (revision: Revision, paths: string[], base: number) => mutate({ revision, paths, base }),
    /** Again, with what was chosen for each text that others have changed. */
    settle: (choices: Readonly<Record<string, Side>>) => {
      if (!refused) return
      const { asked, stale } = refused
      const others = withWhole(
        of,
        stale.conflicts.filter((path) => choices[path] === 'theirs'),
      )
      const paths = asked.paths.filter((path) => !others.includes(path))
      if (paths.length === 0) return setRefused(undefined)
      const mine = stale.conflicts.filter((path) => !others.includes(path))
      mutate({ ...asked, paths, settled: { version: stale.version, paths: mine } })
    },
  }
}

/** Paths, and those that say one thing together with one of them. */
function withWhole({ together }: Revised, paths: string[]): readonly string[] {
  const whole = together?.of ?? []
  return paths.some((path) => whole.includes(path)) ? [...paths, ...whole] : paths
}

/** Writes again what stood there before a restoring, which made `version`. */
async function putBack({ kind }: Revised, id: string, { paths }: RestoreRequest, version: number) {
  const { data } = await call(revisionsApi.list, { query: { entityType: kind, entityId: id } })
  const before = data.find((row) => row.version === version - 1)
  if (!before) throw new Error(`Version ${version - 1} is not among the newest`)
  return call(revisionsApi.restore, { id: before._id, body: { paths, base: version } })
}

function showToast(what: string, error: Error) {
  // The end of the session has been told already.
  if (error instanceof ApiError && error.status === 401) return
  toast.error(what, messageOf(error))
}
