// Who wrote something reads it, also where reads come from replicas: the session notes where the log of PostgreSQL ended
// after its last write, and reads from no replica that has not replayed as much (docs/decisions/026).
import { type Call, hasReplicas, inCall, parsePosition, writePosition } from '#database/replicas.ts'
import { machineFault } from '#lib/faults.ts'
import { Refusal } from '#lib/errors.ts'
import type { Actor } from './permissions.ts'

/** Notes that a session must not read what was before this moment, where it could. */
export async function notePosition(session: string): Promise<void> {
  if (!hasReplicas()) return
  await writePosition(session).catch((error: unknown) => {
    // What it is about was done.
    if (!machineFault(error)) throw error
  })
}

/** Answers a call. One that only reads may be answered from a replica; where that does not find something, the primary is asked. */
export async function answerCall<T>(actor: Actor | undefined, isRead: boolean, answer: () => T): Promise<Awaited<T>> {
  const call = callOf(actor, isRead)
  if (!call) return await answer()
  try {
    return await inCall(call, answer)
  } catch (error) {
    const isMissing = error instanceof Refusal && error.status === 404
    if (!isMissing || call.wrote || !call.from) throw error
    return await inCall({ ...call, mayLag: false, from: undefined }, answer)
  } finally {
    if (call.wrote) await notePosition(call.session)
  }
}

/** The events of a stream. What one tells of, of others or of the call itself, its session can read from then on. */
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
