import { Readable } from 'node:stream'
import { totalText } from '@mokuroku/contract/lists'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Route } from '@mokuroku/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Client, clientOf } from '#access/client.ts'
import { openStream, openUpload } from '#access/openStreams.ts'
import type { Actor } from '#access/permissions.ts'
import { answerCall, eventsOf } from '#access/positions.ts'
import { Refusal, unauthorized } from '#lib/errors.ts'
import { AnswerCache, type CachedAnswer } from './answerCache.ts'
import { bytesOf, type Text, varyByEncoding } from './compress.ts'
import { entityTag, matchesEntityTag } from './entityTag.ts'
import { answerError } from './errorAnswer.ts'
import { eventStream, type StreamEvent } from './eventStream.ts'
import { isRead } from './methods.ts'
import {
  baseOf,
  fieldsOf,
  keyOf,
  listIn,
  NOTHING,
  parse,
  parseQuery,
  pathParts,
  strip,
  withoutEmpty,
  withoutReadOnly,
} from './read.ts'
import { receive } from './receive.ts'
import { type Counted, type Endpoint, Headed, type TextFile } from './serve.ts'
import { serializer } from './serializer.ts'

/** A call that was refused, and its caller. */
export interface Refused {
  route: Route
  /** The parameters of its path. */
  params: { id?: string }
  actor: Actor | undefined
  client: Client
  refusal: Refusal
}

/** Finds the caller by the Authorization header; undefined if it is not valid. */
export type FindActor = (header: string | undefined) => Promise<Actor | undefined>

/** The maximum size of the body of a public call. */
export const MAX_PUBLIC_BODY_BYTES = 16 * 1024
/** The same for signed-in callers. */
const MAX_BODY_BYTES = 2 * 1024 * 1024

interface Known {
  client: Client
  actor?: Actor | undefined
}

const callers = new WeakMap<FastifyRequest, Known>()

/** Who makes a request; without an actor until the session has been checked. */
export const callerOf = (request: FastifyRequest): Known => callers.get(request) ?? { client: clientOf(request) }

interface Options {
  /** Called for each call that is refused. */
  refused?: (refused: Refused) => void
  cache?: AnswerCache
}

/** Adds endpoints: parses requests by the contract, and drops from responses what the contract does not name. */
export function mount(
  app: FastifyInstance,
  endpoints: Endpoint[],
  findActor: FindActor,
  { refused = () => undefined, cache = new AnswerCache() }: Options = {},
): void {
  const saves = new Map(endpoints.map(({ route }) => [`${route.method} ${route.path}`, fieldsOf(route.body)]))
  for (const endpoint of endpoints) {
    const { route, guard } = endpoint
    const inputs = saves.get(`PUT ${route.path}`) ?? fieldsOf(route.body)
    const toText = answerWriter(route, inputs)
    app.route({
      method: route.method,
      url: route.path,
      bodyLimit: route.body && route.access !== 'public' ? MAX_BODY_BYTES : MAX_PUBLIC_BODY_BYTES,
      // oxlint-disable-next-line typescript/no-misused-promises -- Fastify awaits it, whatever its type says
      errorHandler: async (thrown, request, reply) => {
        const error = await refusalBefore(endpoint, thrown, request)
        if (error instanceof Refusal)
          refused({ route, params: paramsOf(request), actor: undefined, ...callerOf(request), refusal: error })
        return answerError(error, request, reply)
      },
      onRequest: async (request) => {
        // Many clients send a type with every call; Fastify would refuse one that it cannot parse.
        if (!route.upload && request.headers['content-length'] === '0') delete request.headers['content-type']
        const client = clientOf(request)
        const found = await findActor(request.headers.authorization)
        const caller = { client, actor: found && { ...found, client } }
        callers.set(request, caller)
        if (!caller.actor && route.access !== 'public') unauthorized()
        await guard?.(caller as never)
      },
      handler: (request, reply) => handleCall(endpoint, request, reply, { findActor, cache, toText }),
    })
  }
}

type ToText = (answered: unknown) => { headers: Record<string, string>; text: string }

/** Calls the handler of an endpoint, or finds its answer in the cache, and sends the answer. */
async function handleCall(
  { route, handle }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { findActor, cache, toText }: { findActor: FindActor; cache: AnswerCache; toText: ToText },
) {
  const { actor, client } = callerOf(request)
  const cached = route.cached && entryOf(request, actor)
  const known = cached && cache.find(...cached, { anew: asksAnew(request) })
  if (known) return sendText(known, request, reply)
  const signal = route.stream && (await openStream(route.path, actor, reply.raw))
  const input = inputOf(route, request)
  const given = {
    ...input,
    actor,
    client,
    ...(route.upload && {
      receive: () => receive(request, route.upload ?? '', openUpload(route.path, actor, reply.raw)),
    }),
    ...(signal && { signal, lastEventId: request.headers['last-event-id'] }),
  }
  const answered = await answerCall(actor, isRead(route) && !signal, () => handle(given as never))
  if (signal) {
    const events = eventsOf(actor, isRead(route), answered as AsyncIterable<unknown>)
    return sendEvents(route, events, signal, request, reply)
  }
  const isSignedIn = async () => (await findActor(request.headers.authorization)) !== undefined
  if (route.file) return sendFile(answered as TextFile, reply, isSignedIn)
  const { headers, text } = toText(answered)
  reply.code(isPreview(input.body) ? 200 : (route.status ?? 200))
  if (!cached || headers['cache-control'] === 'no-store') return sendText({ headers, text }, request, reply)
  const kept = { headers, text: Buffer.from(text) }
  cache.keep(...cached, kept)
  return sendText(kept, request, reply)
}

/** What a handler receives of a request, parsed by the contract. Throws 400. */
function inputOf(route: Route, request: FastifyRequest) {
  const { headers } = request
  if (!route.upload && isFile(request)) throw new Refusal(415, 'mediaType', reasonText('contentType'))
  const body = route.body ? parse(route.body, withoutReadOnly(route, request.body)) : refuseBody(route, request)
  return {
    ...pathParts(paramsOf(request)),
    query: parseQuery(route.query, withoutEmpty(request.query as object)),
    body,
    base: baseOf(headers['if-match']),
    runs: listIn(headers['ai-runs']),
    dropped: listIn(headers['drop-links']),
    key: route.idempotent && keyOf(headers['idempotency-key'], route.path, body),
  }
}

/** Throws for a body of a call that takes none; an empty object is none, as some clients always send one. */
function refuseBody({ upload }: Route, { body }: FastifyRequest): undefined {
  if (!upload && body !== undefined && body !== null) parse(NOTHING, body)
}

/** Whether a request carries a file, which only uploads read: in a form, or as its body. */
const isFile = (request: FastifyRequest): boolean => request.isMultipart() || request.body instanceof Readable

const paramsOf = (request: FastifyRequest) => request.params as Record<string, string>

/** Returns the function that writes the answers of a route, with the headers that follow from them. */
function answerWriter(route: Route, inputs: ReadonlySet<string>): ToText {
  const shown = fieldsOf(route.response)
  const write = serializer(route.response)
  return (answered) => {
    const made = answered instanceof Headed ? answered.answer : answered
    const headers: Record<string, string> = { ...(answered instanceof Headed && answered.headers) }
    if (route.counted) headers['x-total-count'] = totalText((made as Counted<unknown>).total)
    const content = route.counted ? (made as Counted<unknown>).answer : made
    const text = write(content)
    if (hasField(content, 'offset', shown)) headers['upload-offset'] = String(content.offset)
    if (hasField(content, 'version', shown)) headers.etag = entityTag(content, text, { shown, inputs })
    return { headers, text }
  }
}

/** Why a caller may not make a call at all, if its input was invalid; otherwise the error itself. */
async function refusalBefore({ entityGuard }: Endpoint, error: unknown, request: FastifyRequest): Promise<unknown> {
  const { actor, client } = callerOf(request)
  if (!actor || !isInvalid(error)) return error
  try {
    await entityGuard?.({ actor, client, ...pathParts(paramsOf(request)) } as never)
    return error
  } catch (refusal) {
    return refusal
  }
}

/** The cache key of a call: the state of the database, and who asks for what. Undefined if the state is not known. */
function entryOf({ url }: FastifyRequest, actor: Actor | undefined): [string, string] | undefined {
  return actor?.state === undefined ? undefined : [actor.state, `${actor._id} ${url}`]
}

/** Whether the client wants a fresh response (RFC 9111, 5.2.1.4). */
const asksAnew = ({ headers }: FastifyRequest): boolean => headers['cache-control']?.includes('no-cache') ?? false

type Sent = Text & Pick<CachedAnswer, 'headers'>

async function sendText(sent: Sent, request: FastifyRequest, reply: FastifyReply) {
  const { etag } = sent.headers
  reply.headers(sent.headers)
  varyByEncoding(sent, reply)
  if (isRead(request) && etag && matchesEntityTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(await bytesOf(sent, request, reply))
}

/** Sends a file part by part, without buffering ahead, and aborts if the caller's session has ended. */
function sendFile({ filename, type, parts, done }: TextFile, reply: FastifyReply, isSignedIn: () => Promise<boolean>) {
  // The client may have disconnected by now.
  if (reply.raw.destroyed) done?.()
  else if (done) reply.raw.once('close', done)
  const allowed = async function* () {
    for await (const part of parts) {
      if (!(await isSignedIn())) throw new Refusal(401, 'unauthorized', reasonText('sessionEnded'))
      yield part
    }
  }
  return reply
    .type(isText(type) ? `${type}; charset=utf-8` : type)
    .header('content-disposition', `attachment; filename="${filename}"`)
    .send(Readable.from(allowed(), { highWaterMark: 1 }))
}

/** Whether a file of a media type is text in UTF-8. */
export const isText = (type: string): boolean => /^text\/|json$/.test(type)

/** Responds with a stream; unknown fields are dropped from each event as from any other response. */
function sendEvents(route: Route, events: unknown, signal: AbortSignal, request: FastifyRequest, reply: FastifyReply) {
  const stripped = async function* (): AsyncGenerator<StreamEvent> {
    for await (const event of events as AsyncIterable<unknown>) yield strip(route.response, event) as StreamEvent
  }
  const onError = (error: unknown): void =>
    request.log.error({ err: error, url: request.routeOptions.url }, 'stream failed')
  // Without this header, some proxies would buffer events.
  reply.type('text/event-stream').header('x-accel-buffering', 'no')
  return reply.send(eventStream(stripped(), { signal, requestId: request.id, onError }))
}

/** Whether a call failed because of its input: its query, headers or body. */
const isInvalid = (error: unknown): boolean => {
  const { status, statusCode = status } = error as { status?: unknown; statusCode?: unknown }
  return statusCode === 400 || statusCode === 413 || statusCode === 415
}

/** A call that only asks what would be done. */
const isPreview = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'dryRun' in body && body.dryRun === true

/** Whether an answer has a field that the response shows. */
const hasField = <Name extends string>(
  answer: unknown,
  name: Name,
  shown: ReadonlySet<string>,
): answer is Record<Name, unknown> => shown.has(name) && typeof answer === 'object' && answer !== null && name in answer
