import { ApiError } from '@mokuroku/contract/call'
import { changedPaths } from '@mokuroku/contract/merge'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { call } from '#api/call.ts'
import { coEditors } from '#api/openEntity.ts'
import { useMe } from '#api/session.ts'
import { editable, type Fields, textOf } from '#lib/editorText.ts'
import type { EntityEditorProps } from './props.ts'
import type { Origin } from './useDraft.ts'
import type { useUnanswered } from './useUnanswered.ts'

/** How many newer versions are listed to find out who saved them. */
const MAX_VERSIONS = 50

/** The changes that were saved since the edit started. */
export interface Newer {
  /** The stored fields; undefined if the entity was deleted, or merged into another. */
  theirs: Fields | undefined
  isMerged: boolean
  version: number
  updatedAt: string
  /** Paths that differ from the edit's origin. */
  paths: string[]
  /** Names of the users who saved it, most recent first. */
  savedBy: string[]
  /** Whether only the user saved it, in another window. */
  isOwn: boolean
}

/**
 * What others have saved since the edit started, as soon as the stream reports it; undefined while there is nothing.
 */
export function useNewerVersion<Entity>(
  { edited, editor, load }: EntityEditorProps<Entity>,
  origin: Origin,
): Newer | undefined {
  const { _id: me } = useMe()
  const { version } = coEditors.use()
  const { kind, id } = edited
  const isNewer = origin.version !== undefined && version !== undefined && version > origin.version
  const find = async (): Promise<Newer> => {
    const query = { entityType: kind, entityId: id ?? '', limit: MAX_VERSIONS }
    const [found, { data }] = await Promise.all([load?.().catch(undefinedIfGone), call(revisionsApi.list, { query })])
    // For a merged entity, the server returns the one it was merged into.
    const entity = found?._id === id ? found : undefined
    const since = data.filter((each) => each.version > (origin.version ?? 0))
    const theirs = entity && editable(editor.schema, { ...entity })
    return {
      theirs,
      isMerged: found !== undefined && !entity,
      version: entity?.version ?? version ?? 0,
      updatedAt: since[0]?.createdAt ?? '',
      paths: theirs ? changedPaths(JSON.parse(origin.text) as Fields, theirs) : [],
      savedBy: [...new Set(since.map(({ username }) => username))],
      isOwn: since.every(({ userId }) => userId === me),
    }
  }
  const { data } = useQuery({
    queryKey: ['newer', kind, id, origin.version, version],
    queryFn: isNewer && load ? find : skipToken,
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  })
  const isOver = data?.theirs && data.paths.length === 0
  return isNewer && !isOver ? data : undefined
}

/** What others have saved. A save of this editor that has arrived without a response is passed to `onArrived` instead. */
export function useOthers(
  newer: Newer | undefined,
  unanswered: ReturnType<typeof useUnanswered>,
  onArrived: (stored: Origin) => void,
): Newer | undefined {
  const arrived = newer?.theirs && unanswered.includes(newer.theirs) ? newer : undefined
  const report = useEffectEvent(({ theirs, version }: Newer) => theirs && onArrived({ text: textOf(theirs), version }))
  useEffect(() => {
    if (arrived) report(arrived)
  }, [arrived])
  return arrived ? undefined : newer
}

function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}
