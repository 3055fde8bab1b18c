import { time } from '#lib/clock.ts'
import { Refusal } from '#lib/errors.ts'

/** Wait for a rate-limited endpoint: the default if it does not say, and the maximum, in seconds. */
const RETRY_AFTER_SECONDS = { default: 20, max: 3600 }

/** Messages for users about what can go wrong with a model. They contain nothing that the endpoint sent. */
const SENTENCES = {
  address: 'The AI service cannot be reached: nothing answers at its address.',
  host: 'The AI service cannot be reached: there is no host of this name.',
  port: 'The AI service cannot be reached: no request may go to the port of its address, which belongs to another protocol. Let the service listen on another port.',
  certificate: 'The AI service cannot be reached: its certificate is not valid.',
  tls: 'The AI service cannot be reached: it does not answer with TLS. If it has none, its address begins with http://.',
  path: 'There is no chat completions API at this address. Such addresses often end in /v1.',
  redirect: 'The AI service redirects to another address. Set that address instead.',
  key: 'The AI service refused the key.',
  credit: 'The AI service refused: the account has no credit left.',
  model: 'The AI service does not know the model.',
  request: 'The AI service did not accept the request.',
  context: 'The request is too long for the model. Send less at once, or use a model with a longer context.',
  busy: 'The AI service is rate-limiting requests.',
  failed: 'The AI service failed.',
  slow: 'The AI service did not answer in time.',
  cut: 'The answer of the AI service was cut off.',
  length: 'The answer reached the model’s length limit and was cut off.',
  malformed: 'The AI service sent something that is not an answer of an OpenAI-compatible endpoint.',
  empty: 'The AI service sent an empty answer.',
  large: 'The answer of the AI service was too long, and was stopped.',
  refused: 'The model refused to answer.',
} as const
export type Failure = keyof typeof SENTENCES

const STATUS: Partial<Record<Failure, number>> = { busy: 429, slow: 504, failed: 503 }

export function aiFailure(failure: Failure, retryAfter?: number): Refusal {
  const more = failure === 'busy' ? { retryAfter: retryAfter ?? RETRY_AFTER_SECONDS.default } : {}
  return new Refusal(STATUS[failure] ?? 502, `ai.${failure}`, SENTENCES[failure], undefined, more)
}

interface Explanation {
  name?: string
  message?: string
  code?: unknown
  cause?: unknown
  statusCode?: number
  responseHeaders?: Record<string, string>
  responseBody?: string
}

/** Converts an error thrown by the SDK into a Refusal. `hadContent`: part of the answer had already arrived. */
export function failureOf(error: unknown, hadContent: boolean): Refusal {
  if (error instanceof Refusal) return error
  const causes = chainOf(error)
  const refusal = causes.find((each) => each instanceof Refusal)
  if (refusal) return refusal
  const answered = causes.find(({ statusCode }) => typeof statusCode === 'number' && statusCode >= 300)
  if (answered) return ofStatus(answered)
  if (causes.some(({ name }) => name === 'TimeoutError')) return aiFailure('slow')
  if (causes.some(({ message }) => message === BLOCKED_PORT)) return aiFailure('port')
  const code = causes.map((each) => each.code).find((each) => typeof each === 'string') ?? ''
  const known = OF_CODE.find(([pattern]) => pattern.test(code))?.[1]
  if (known && !hadContent) return aiFailure(known)
  if (hadContent && (known || causes.some(({ name }) => CUT.has(name ?? '')))) return aiFailure('cut')
  if (causes.some(({ name }) => MALFORMED.has(name ?? ''))) return aiFailure('malformed')
  return aiFailure(hadContent ? 'cut' : 'failed')
}

/** What `fetch` says of the ports that it requests nothing from, such as 6000 and 6667 (Fetch Standard, 2.9). */
const BLOCKED_PORT = 'bad port'

/** Whether an endpoint rejected a request because it asks for the token usage. */
export const refusesUsage = (error: unknown): boolean =>
  chainOf(error).some(
    ({ statusCode = 0, responseBody = '' }) =>
      (statusCode === 400 || statusCode === 422) && /stream_options|include_usage/.test(responseBody),
  )

const OF_CODE: [RegExp, Failure][] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'host'],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'slow'],
  [/^(ERR_SSL_\w+|EPROTO)$/, 'tls'],
  [/CERT|^ERR_TLS|^DEPTH_ZERO|SELF_SIGNED|^UNABLE_TO/, 'certificate'],
  [/^(HPE_|UND_ERR_INVALID)/, 'malformed'],
  [/^(E[A-Z]+|UND_ERR_\w+)$/, 'address'],
]
const CUT = new Set(['TypeError', 'AI_InvalidResponseDataError', 'AI_NoOutputGeneratedError'])
const MALFORMED = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoOutputGeneratedError',
])

/** The error and its chain of causes, outermost first. */
function chainOf(error: unknown): (Explanation & object)[] {
  const chain: (Explanation & object)[] = []
  for (let at = error; typeof at === 'object' && at !== null && chain.length < 8; at = (at as Explanation).cause)
    chain.push(at)
  return chain
}

function ofStatus({ statusCode = 0, responseHeaders = {}, responseBody = '' }: Explanation): Refusal {
  // Used only to classify the error; it is neither shown nor logged.
  const said = responseBody.slice(0, 2000).toLowerCase()
  if (statusCode < 400) return aiFailure('redirect')
  if (statusCode === 402 || said.includes('insufficient_quota')) return aiFailure('credit')
  if (statusCode === 429) return aiFailure('busy', secondsIn(responseHeaders['retry-after']))
  const failure = OF_TEXT.find(([pattern]) => pattern.test(said))?.[1]
  if (failure) return aiFailure(failure)
  if (statusCode === 401 || statusCode === 403) return aiFailure('key')
  if (statusCode === 404 || statusCode === 405) return aiFailure('path')
  if (statusCode === 413) return aiFailure('context')
  if (statusCode === 408 || statusCode === 504) return aiFailure('slow')
  return aiFailure(statusCode < 500 ? 'request' : 'failed')
}

/** What the bodies of error responses contain, in lower case: each service words them differently. */
const OF_TEXT: [RegExp, Failure][] = [
  [/content_filter|content_policy|requires moderation|content management policy/, 'refused'],
  [/context_length_exceeded|context (length|size|window)|maximum number of tokens|prompt is too long/, 'context'],
  [/invalid_api_key|api_key_invalid|api key not valid|(incorrect|invalid) api key/, 'key'],
  // A full stop or a quotation mark ends the sentence, unless it is part of a name: model \"llama3.2\" not found.
  [
    /model_not_found|deploymentnotfound|models?\b(?:[^."]|\\"|\.(?=\w)){0,160}(not found|not exist|unknown|invalid|not supported)|(unknown|invalid|not a valid) model/,
    'model',
  ],
]

/** Parses a Retry-After header, in seconds or as a date. */
function secondsIn(header: string | undefined): number | undefined {
  const seconds = Number(header ?? Number.NaN)
  const until = Number.isNaN(seconds) ? (Date.parse(header ?? '') - time()) / 1000 : seconds
  return Number.isFinite(until) ? Math.min(Math.max(Math.ceil(until), 1), RETRY_AFTER_SECONDS.max) : undefined
}
