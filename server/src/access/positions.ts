// Read your own writes with replicas: a session stores the write-ahead log position (LSN) of its last write, and reads
// only from replicas that have replayed up to it (docs/decisions/026).
import { type Call, hasReplicas, inCall, parsePosition, writePosition } from '#database/replicas.ts'
import { machineFault } from '#lib/faults.ts'
import { Refusal } from '#lib/errors.ts'
import type { Actor } from './permissions.ts'

/** Stores the current log position for a session: from now on it reads no older data, where that can be ensured. */
export async function notePosition(session: string): Promise<void> {
  if (!hasReplicas()) return
  await writePosition(session).catch((error: unknown) => {
    // The write itself succeeded, so a machine fault here must not fail the request.
    if (!machineFault(error)) throw error
  })
}

/** Answers a request. A read may be answered from a replica; if that does not find something, the primary is asked. */
export async function answerCall<T>(actor: Actor | undefined, isRead: boolean, answer: () => T): Promise<Awaited<T>> {
  const call = callOf(actor, isRead)
  if (!call) return await answer()
  try {
    return await inCall(call, answer)
  } catch (error) {
    const isMissing = error instanceof Refusal && error.status === 404
    if (!isMissing || call.wrote || !call.from) throw error
    return await inCall(Object.assign(call, { mayLag: false, from: undefined }), answer)
  } finally {
    if (call.wrote) await notePosition(call.session)
  }
}

/** The events of a stream. The session can read what an event announces, whether others or this request wrote it. */
export async function* eventsOf<Event>(
  actor: Actor | undefined,
  isRead: boolean,
  events: AsyncIterable<Event>,
): AsyncGenerator<Event> {
  const call = callOf(actor, false)
  const iterator = events[Symbol.asyncIterator]()
  const next = () => iterator.next()
  try {
    for (;;) {
      const { done, value } = await (call ? inCall(call, next) : next())
      if (call && (call.wrote || (isRead && !done))) await notePosition(call.session)
      if (call) call.wrote = false
      if (done) return
      yield value
    }
  } finally {
    await iterator.return?.()
  }
}

function callOf(actor: Actor | undefined, isRead: boolean): Call | undefined {
  if (!hasReplicas() || actor?.session === undefined) return undefined
  const { session, position = '0/0' } = actor
  return { mayLag: isRead, position: parsePosition(position), session, wrote: false, from: undefined }
}
