import { type Revision, revisionsApi } from '@mokuroku/contract/revisions'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { toastFailure } from '#api/queryClient.ts'
import { type Side, type VersionConflict, versionConflictOf } from '#lib/versionConflict.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { toast } from '#ui/toast.ts'
import type { Revised } from './revised.ts'
import { historyTexts } from './texts.ts'

interface RestoreRequest {
  revision: Revision
  paths: string[]
  /** The version that was on screen. */
  base: number
  /** The paths that the user chose to overwrite, and the version for which they chose. */
  settled?: { version: number; paths: string[] }
}

/** Restores values of a version, and offers to undo that; conflicts with newer changes are resolved as in an editor. */
export function useRestore(revised: Revised, id: string) {
  const [refused, setRefused] = useState<{ request: RestoreRequest; stale: VersionConflict }>()
  const undo = useMutation({
    mutationFn: ({ request, version }: { request: RestoreRequest; version: number }) =>
      putBack(revised, id, request, version),
    meta: { quiet: true },
    onSuccess: () => toast.success(historyTexts.get().undone),
    onError: (error) => toastFailure(historyTexts.get().undoFailed, error),
  })
  const { mutate, isPending } = useMutation({
    mutationFn: ({ revision, paths, base, settled }: RestoreRequest) =>
      call(revisionsApi.restore, { id: revision._id, body: { paths, base, ...(settled && { settled }) } }),
    meta: { quiet: true },
    onSuccess: ({ version, isChanged }, request) => {
      const texts = historyTexts.get()
      setRefused(undefined)
      if (!isChanged) toast.info(texts.restoreNothing)
      else offerUndo(texts.restoreDone(request.revision.version), () => undo.mutateAsync({ request, version }))
    },
    onError: (error, request) => {
      const stale = versionConflictOf(error)
      if (stale) return setRefused({ request, stale })
      toastFailure(historyTexts.get().restoreFailed, error)
    },
  })

  return {
    isPending,
    stale: refused?.stale,
    forget: () => setRefused(undefined),
    send: (revision: Revision, paths: string[], base: number) => mutate({ revision, paths, base }),
    /** Repeats the request with the user's choice for each conflict. */
    settle: (choices: Readonly<Record<string, Side>>) => {
      if (!refused) return
      const { request, stale } = refused
      const others = withWhole(
        revised,
        stale.conflicts.filter((path) => choices[path] === 'theirs'),
      )
      const paths = request.paths.filter((path) => !others.includes(path))
      if (paths.length === 0) return setRefused(undefined)
      const mine = stale.conflicts.filter((path) => !others.includes(path))
      mutate({ ...request, paths, settled: { version: stale.version, paths: mine } })
    },
  }
}

/** Adds the fields that form one value with any of these paths. */
function withWhole({ together }: Revised, paths: string[]): readonly string[] {
  const whole = together?.fields ?? []
  return paths.some((path) => whole.includes(path)) ? [...paths, ...whole] : paths
}

/** Undoes a restore that created `version`, by restoring the values of the version before it. */
async function putBack({ kind }: Revised, id: string, { paths }: RestoreRequest, version: number) {
  const { data } = await call(revisionsApi.list, { query: { entityType: kind, entityId: id } })
  const before = data.find((row) => row.version === version - 1)
  if (!before) throw new Error(`Version ${version - 1} is not among the newest`)
  return call(revisionsApi.restore, { id: before._id, body: { paths, base: version } })
}
