import { setTimeout as sleep } from 'node:timers/promises'
import { aiApi } from '@mokuroku/contract/ai'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { db } from '#database/db.ts'
import { assisted, useModel, withReferences } from '#test/ai.ts'
import { signedIn, withApp } from '#test/app.ts'
import { withinOneDay } from '#test/days.ts'
import { titled } from '#test/factories.ts'
import {
  cutsOff,
  fails,
  givesNoReason,
  isHuge,
  isWebPage,
  keepsSilent,
  knowsNoUsage,
  neverEnds,
  says,
  sendsError,
  sendsNullError,
  stalls,
  stopsShort,
  talksNonsense,
  withModel,
} from '#test/model.ts'
import { freePort } from '#test/process.ts'
import { openai } from './providers/openai.ts'

withApp()
withReferences()
const model = await withModel()
const KEY = 'sk-that-nobody-may-see'
const SECRETS = /sk-|org-42|10\.0\.0\.7|127\.0\.0\.1|very-secret/

beforeEach(() => useModel({ baseUrl: model.baseUrl, model: 'small', apiKey: KEY }))
afterEach(() => vi.restoreAllMocks())

const outcomes = async (userId: string) =>
  (await db.selectFrom('aiRuns').select('outcome').where('userId', '=', userId).orderBy('_id').execute()).map(
    ({ outcome }) => outcome,
  )

test.each([
  ['a rejected key', fails(401), 502, 'ai.key'],
  [
    'an unknown model',
    fails(404, { code: 'model_not_found', message: 'The model `x` does not exist' }),
    502,
    'ai.model',
  ],
  ['no credit', fails(429, { code: 'insufficient_quota' }), 502, 'ai.credit'],
  ['a server error', fails(500), 503, 'ai.failed'],
  ['a proxy error', fails(502), 503, 'ai.failed'],
  ['a rejected request', fails(400), 502, 'ai.request'],
  ['a wrong path', fails(404), 502, 'ai.path'],
  ['a redirect', fails(302, { headers: { location: 'http://127.0.0.1:1/v1' } }), 502, 'ai.redirect'],
  ['a web page', isWebPage(), 502, 'ai.malformed'],
  ['a malformed stream', talksNonsense(), 502, 'ai.malformed'],
  [
    'a malformed tool call',
    talksNonsense(
      `data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [{ index: 0, function: {} }] } }] })}\n\n`,
    ),
    502,
    'ai.malformed',
  ],
  ['an empty answer', says(''), 502, 'ai.empty'],
])('reports %s by its own code before the stream starts, without leaking details', async (_, reply, status, code) => {
  await withinOneDay()
  const printed = (['log', 'error', 'warn', 'info'] as const).map((name) => vi.spyOn(console, name))
  model.answers(reply)
  const { streams, user, call } = await assisted()
  const failure = await streams.media('The Lantern Keepers').then(
    () => undefined,
    (error: { status: number; code: string; body: unknown }) => error,
  )
  expect(failure).toMatchObject({ status, code })
  expect(JSON.stringify(failure?.body)).not.toMatch(SECRETS)
  expect(await outcomes(user._id)).toEqual([code])
  // An empty answer has cost the tokens that the service reports.
  expect((await call(aiApi.status)).tokensToday).toBe(code === 'ai.empty' ? 160 : 0)
  for (const spy of printed) expect(spy).not.toHaveBeenCalled()
})

test.each([
  [404, 'ai.model', { message: "model 'llama3.2' not found" }],
  [404, 'ai.model', { message: 'The model "acme/Small-2.5" does not exist.' }],
  [404, 'ai.model', { message: 'The API deployment for this resource does not exist.', code: 'DeploymentNotFound' }],
  [400, 'ai.model', { message: 'acme/small-2.5 is not a valid model ID' }],
  [400, 'ai.key', { message: 'API key not valid. Please pass a valid API key.' }],
  [400, 'ai.refused', { message: 'The prompt was filtered.', code: 'content_filter' }],
  [400, 'ai.context', { message: 'the request exceeds the available context size' }],
  [413, 'ai.context', {}],
  [400, 'ai.request', { message: "'top_p' is not supported with this model", code: 'invalid_value' }],
])('knows a response with status %i for %s, however a service words it', async (status, code, body) => {
  const { streams } = await assisted()
  model.answers(fails(status, body))
  await expect(streams.media('The Lantern Keepers')).rejects.toMatchObject({ code })
})

test.each([
  ['ai.busy', { code: 429, message: 'Rate limit exceeded' }],
  ['ai.credit', { code: 'insufficient_quota', message: 'You exceeded your quota' }],
  ['ai.context', { code: 400, message: "This model's maximum context length is 4096 tokens" }],
  ['ai.failed', { code: null, message: 'sk-very-secret failed' }],
  ['ai.failed', 'sk-very-secret failed'],
])('reports %s for an error event within the stream', async (code, sent) => {
  const { streams, suggested } = await assisted()
  model.answers(sendsError('', sent))
  await expect(streams.media('The Lantern Keepers')).rejects.toMatchObject({ code })
  model.answers(sendsError('Here is', sent))
  const { error, content } = await suggested('The Lantern Keepers')
  expect(content).toBe('Here is')
  expect(error).toMatchObject({ code })
  expect(JSON.stringify(error)).not.toMatch(SECRETS)
})

test('says that a service does not answer with TLS', async () => {
  await useModel({ baseUrl: model.baseUrl.replace('http:', 'https:'), model: 'small' })
  const { streams } = await assisted()
  await expect(streams.media('The Lantern Keepers')).rejects.toMatchObject({ status: 502, code: 'ai.tls' })
})

test('ends an answer with an oversized event by its own code, in the stream if the event takes long to arrive', async () => {
  model.answers(isHuge())
  const { suggested, user } = await assisted()
  const code = await suggested('The Lantern Keepers').then(
    ({ error }) => error?.code,
    (error: { code: string }) => error.code,
  )
  expect(code).toBe('ai.large')
  expect(await outcomes(user._id)).toEqual(['ai.large'])
})

test('counts the tokens that the service reports for an answer that fails', async () => {
  await withinOneDay()
  const usage = { prompt_tokens: 120, completion_tokens: 5000, total_tokens: 5120 }
  model.answers(says('Here is', { reason: 'length', usage }))
  const { suggested, call } = await assisted()
  expect((await suggested('The Lantern Keepers')).error).toMatchObject({ code: 'ai.length' })
  expect((await call(aiApi.status)).tokensToday).toBe(5120)
})

test('passes on the Retry-After of a busy service', async () => {
  model.answers(fails(429, { headers: { 'retry-after': '37' } }))
  const { streams } = await assisted()
  await expect(streams.media('The Lantern Keepers')).rejects.toMatchObject({
    status: 429,
    code: 'ai.busy',
    body: { retryAfter: 37 },
  })
  model.answers(fails(429))
  await expect(streams.search('The Lantern Keepers')).rejects.toMatchObject({ status: 429 })
})

test('reports an unreachable service with its own code', async () => {
  await useModel({ baseUrl: `http://127.0.0.1:${await freePort()}/v1`, model: 'small' })
  const { streams } = await assisted()
  await expect(streams.media('The Lantern Keepers')).rejects.toMatchObject({ status: 502, code: 'ai.address' })
})

test.each([
  ['loses the connection', cutsOff('Here is'), 'ai.cut'],
  ['ends without a final event', stopsShort('Here is'), 'ai.cut'],
  ['reaches its token limit', says('Here is', { reason: 'length' }), 'ai.length'],
  ['is stopped by a content filter', says('Here is', { reason: 'content_filter' }), 'ai.refused'],
  ['never ends', neverEnds(), 'ai.large'],
])('an answer that %s keeps the chunks sent so far and ends with an error event', async (_, reply, code) => {
  model.answers(reply)
  const { suggested, user } = await assisted()
  const { names, content, error, complete } = await suggested('The Lantern Keepers')
  expect(names).toEqual(['chunk', 'error'])
  expect(content.length).toBeGreaterThan(5)
  expect(content.length).toBeLessThan(210_000)
  expect(error).toMatchObject({ code })
  expect(complete).toBeUndefined()
  expect(await outcomes(user._id)).toEqual([code])
})

test('accepts an answer that ends without a finish reason', async () => {
  model.answers(givesNoReason('I do not know this work.'))
  const { suggested } = await assisted()
  const { names, content, complete } = await suggested('The Lantern Keepers')
  expect(names).toEqual(['chunk', 'complete', 'end'])
  expect(content).toBe('I do not know this work.')
  expect(complete?.run).toMatchObject({ isEstimate: true, outputTokens: 8 })
})

test('a service that refuses `stream_options` is asked again without them, and from then on at once', async () => {
  model.answers(knowsNoUsage('I do not know this work.'))
  const { suggested } = await assisted()
  for (let each = 0; each < 2; each++) {
    const { names, content, complete } = await suggested('The Lantern Keepers')
    expect(names).toEqual(['chunk', 'complete', 'end'])
    expect(content).toBe('I do not know this work.')
    expect(complete?.run).toMatchObject({ isEstimate: true, outputTokens: 8 })
  }
  expect(model.questions.map(({ asksForUsage }) => asksForUsage)).toEqual([true, false, false])
})

test('a null error in the chunks of an answer is ignored, but not in its text', async () => {
  const text = 'Not "error": null, but this.'
  model.answers(sendsNullError(text))
  const { suggested } = await assisted()
  const { names, content } = await suggested('The Lantern Keepers')
  expect(names).toEqual(['chunk', 'complete', 'end'])
  expect(content).toBe(text)
})

test('keeps the finished items of a batch that is cut off', async () => {
  const item = (id: string) => ({ id, translations: titled(`The ${id}`) })
  model.answers(cutsOff(`Done.\n\`\`\`json\n[${JSON.stringify(item('one'))}, {"id": "two", "translat`))
  const { standardized } = await assisted()
  const { last } = await standardized([item('one'), item('two')])
  expect(last).toMatchObject({
    status: 'failed',
    code: 'ai.cut',
    result: [item('one')],
    errors: [{ id: 'two', message: 'The answer has nothing for it.' }],
  })
  expect(JSON.stringify(last)).not.toMatch(SECRETS)
})

test('ends a search answer that is cut off with an error line', async () => {
  model.answers(cutsOff('Here is'))
  const { searched } = await assisted()
  const { lines, content } = await searched('The Lantern Keepers')
  expect(content).toContain('Here is')
  expect(lines.at(-1)).toEqual({ type: 'error', data: 'The answer of the AI service was cut off.', code: 'ai.cut' })
})

test('cancels the request to the model when the client disconnects', async () => {
  model.answers(stalls('Here is'))
  const { streams, user } = await assisted()
  const stream = await streams.media('The Lantern Keepers')
  await stream.next()
  stream.close()
  await expect.poll(() => model.questions[0]?.isCancelled).toBe(true)
  await expect.poll(() => outcomes(user._id)).toEqual(['cancelled'])
})

test('cancels the request if the client disconnects before the first chunk, and frees its slot', async () => {
  await useModel({ baseUrl: model.baseUrl, model: 'small', streamsPerUser: 2 })
  model.answers(keepsSilent())
  const { streams, user } = await assisted()
  const waiting = [1, 2].map(async () => {
    const leaving = streams.media('The Lantern Keepers')
    return (await leaving).close()
  })
  await expect.poll(() => model.questions.length).toBe(2)
  await Promise.all(waiting)
  await expect.poll(() => model.questions.every(({ isCancelled }) => isCancelled)).toBe(true)
  // A slot is free once the outcome of its answer is stored.
  await expect.poll(() => outcomes(user._id)).toEqual(['cancelled', 'cancelled'])
  model.answers(says('I do not know it.'))
  expect(await (await streams.media('The Lantern Keepers')).rest()).not.toEqual([])
})

test('applies backpressure to a model that sends faster than the client reads', async () => {
  model.answers(neverEnds())
  const { streams } = await assisted()
  const stream = await streams.media('The Lantern Keepers')
  await stream.next()
  // Without backpressure it would have sent a hundred megabytes by now.
  await sleep(1500)
  expect(model.questions[0]?.sent()).toBeLessThan(8 * 1024 * 1024)
  stream.close()
  await expect.poll(() => model.questions[0]?.isCancelled).toBe(true)
})

test('times out when a model sends nothing or stalls', async () => {
  model.answers(keepsSilent())
  const timeouts = { firstChunkMs: 200, chunkMs: 100, totalMs: 1000 }
  const ask = async () => {
    const words = openai({ baseUrl: model.baseUrl, model: 'small', apiKey: '', timeouts }).answer(
      { call: 'test', languages: [] },
      new AbortController().signal,
    )
    let said = ''
    for await (const word of words) said += word
    return said
  }
  await expect(ask()).rejects.toMatchObject({ status: 504, code: 'ai.slow' })
  model.answers(stalls('Here is'))
  await expect(ask()).rejects.toMatchObject({ code: 'ai.slow' })
})

test.each([
  ['ok', says('OK'), true, 'ok', 'The model small answers.'],
  ['key', fails(401), false, 'ai.key', 'The AI service refused the key.'],
  ['model', fails(404, { code: 'model_not_found' }), false, 'ai.model', 'The AI service does not know the model.'],
  [
    'path',
    fails(404, { message: 'Not Found' }),
    false,
    'ai.path',
    'There is no chat completions API at this address. Such addresses often end in /v1.',
  ],
  [
    'page',
    isWebPage(),
    false,
    'ai.malformed',
    'The AI service sent something that is not an answer of an OpenAI-compatible endpoint.',
  ],
  ['busy', fails(429), false, 'ai.busy', 'The AI service is rate-limiting requests.'],
] as const)('a connection test reports its result: %s', async (_, reply, success, code, message) => {
  model.answers(reply)
  const { call } = await signedIn()
  const answer = await call(aiApi.test, { body: {} })
  expect(answer).toMatchObject({ success, code, message })
  expect(JSON.stringify(answer)).not.toMatch(SECRETS)
})

test.each([6000, 6667, 10_080])('a connection test says that nothing can be requested from port %i', async (port) => {
  const { call } = await signedIn()
  expect(await call(aiApi.test, { body: { baseUrl: `http://127.0.0.1:${port}/v1` } })).toMatchObject({
    success: false,
    code: 'ai.port',
    message: expect.stringContaining('Let the service listen on another port') as string,
  })
})

test('a connection test accepts settings in its body, and sends the stored key to no other host', async () => {
  const { call } = await signedIn()
  const otherPort = await freePort()
  expect(await call(aiApi.test, { body: { baseUrl: `http://127.0.0.1:${otherPort}/v1` } })).toMatchObject({
    success: false,
    code: 'ai.address',
  })
  model.answers(says('OK'))
  const other = model.baseUrl.replace('127.0.0.1', 'localhost')
  expect(await call(aiApi.test, { body: { baseUrl: other, model: 'large' } })).toMatchObject({ success: true })
  expect(model.questions[0]).toMatchObject({ model: 'large' })
  expect(model.questions[0]?.headers.authorization).toBeUndefined()
  await call(aiApi.test, { body: { baseUrl: other, apiKey: 'sk-given' } })
  expect(model.questions[1]?.headers.authorization).toBe('Bearer sk-given')
  await call(aiApi.test, { body: {} })
  expect(model.questions[2]?.headers.authorization).toBe(`Bearer ${KEY}`)
  model.answers(fails(401))
  expect((await call(aiApi.test, { body: { baseUrl: other } })).message).toContain('requires an API key')
  const asked = model.questions.length
  // Such a key cannot be sent in a header.
  await expect(call(aiApi.test, { body: { apiKey: 'sk–pasted' } })).rejects.toMatchObject({ status: 400 })
  for (const body of [{ baseUrl: '' }, { model: '' }])
    expect(await call(aiApi.test, { body })).toMatchObject({ success: false, code: 'ai.unset' })
  expect(model.questions).toHaveLength(asked)
  model.answers(says('OK'))
  await call(aiApi.test, { body: { apiKey: '' } })
  expect(model.questions.at(-1)?.headers.authorization).toBeUndefined()
})

test('a connection test needs an address and a model, and only administrators may run it', async () => {
  await useModel()
  const { call } = await signedIn()
  expect(await call(aiApi.test, { body: {} })).toMatchObject({ success: false, code: 'ai.unset' })
  const moderator = await signedIn({ role: 'moderator' })
  await expect(moderator.call(aiApi.test, { body: {} })).rejects.toMatchObject({ status: 403 })
})
