import type { ApiError, Input } from '@mokuroku/contract/call'
import type { Response, Route } from '@mokuroku/contract/route'
import { useEffect, useState } from 'react'
import { wrote } from './queryClient.ts'
import { followStream, isRefusal } from './stream.ts'

/** Work in the background: the stream of its states, a read of its state, and whether that is final. */
interface Work<State> {
  stream: Route<`${string}/:id/stream`> & { stream: true }
  find: (id: string, signal: AbortSignal) => Promise<State>
  isEnded: (state: State) => boolean
}

/** After this time without an event, the state is read: proxies and virus scanners hold back or break streams. */
const SILENCE_MS = 5000

/**
 * Follows work until it ends, and then invalidates the queries that it affects. `onRefused` is called with the error if
 * its state may not be read, which ends it, too.
 */
export function followWork<State>(
  { stream, find, isEnded }: Work<State>,
  id: string,
  onState: (state: State) => void,
  signal?: AbortSignal,
  onRefused?: (error: ApiError) => void,
): void {
  const ended = new AbortController()
  const until = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal
  let timer: ReturnType<typeof setTimeout> | undefined
  const update = (state: State) => {
    if (until.aborted) return
    onState(state)
    if (!isEnded(state)) return listen()
    wrote(stream)
    ended.abort()
  }
  const fail = (error: unknown) => {
    if (!isRefusal(error) || until.aborted) return listen()
    ended.abort()
    onRefused?.(error)
  }
  const listen = () => {
    clearTimeout(timer)
    if (!until.aborted) timer = setTimeout(() => void find(id, until).then(update, fail), SILENCE_MS)
  }
  until.addEventListener('abort', () => clearTimeout(timer))
  listen()
  const input = { id } as unknown as Omit<Input<typeof stream>, 'signal'>
  followStream(stream, input, (event: Response<typeof stream>) => update((event as { data: State }).data), until)
}

/**
 * The state of work that is followed until it ends. Undefined until that is known, and without an id. Work that may begin
 * again after its end, before this was read, has a `version`, which differs then.
 */
export function useWork<State extends { _id: string }>(
  work: Work<State>,
  id: string | undefined,
  version?: number,
): State | undefined {
  const [followed, setFollowed] = useState<{ state: State; version: number | undefined }>()
  useEffect(() => {
    if (id === undefined) return undefined
    const leaving = new AbortController()
    followWork(work, id, (state) => setFollowed({ state, version }), leaving.signal)
    return () => {
      leaving.abort()
      // The same work may be followed again: an import whose mapping is corrected is checked anew.
      setFollowed(undefined)
    }
  }, [work, id, version])
  return followed?.state._id === id && followed?.version === version ? followed?.state : undefined
}
