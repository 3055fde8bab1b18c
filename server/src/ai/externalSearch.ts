import type { SearchLine } from '@mokuroku/contract/ai'
import { suggestionRequirement } from '@mokuroku/contract/requirement'
import { toPlainText } from '@mokuroku/contract/suggestion'
import { inCall } from '#lib/tracing.ts'
import { settings } from '#store/settings'
import { type AiRequest, startRun } from './runs.ts'
import { finishAnswer } from './media.ts'
import { previewOf } from './previews.ts'
import { aiFailure, failureOf } from './providers/failures.ts'
import { parseMedia } from './parseAnswers.ts'
import type { Search } from './search.ts'

/** The longest line that is read, in characters, and the longest answer, in bytes. */
const [MAX_LINE_CHARS, MAX_ANSWER_BYTES] = [256 * 1024, 4 * 1024 * 1024]
/** How long the service may send nothing, in milliseconds. */
const IDLE_TIMEOUT_MS = 60_000

type ExternalEvent = { image: string; title: string } | { answer: string }

/** Source 2 when AI_SEARCH_URL names another AI search service: streams its images and its answer. */
export async function* searchExternal(
  { query, requirement, maxResults }: Search,
  asked: AiRequest,
): AsyncGenerator<SearchLine> {
  const { searchUrl } = asked.slot.settings
  const { host, origin } = new URL(searchUrl)
  const from = { provider: 'search' as const, model: host, prompt: '', inputTokens: 0 }
  const run = await startRun(from, 'search', [{ name: host, url: origin }], asked)
  const { languages } = (await settings.find()).general
  // Without a requirement the service answers in prose, which cannot be compared.
  const question = { query, requirement: requirement || suggestionRequirement(languages), maxResults }
  let content = ''
  for await (const said of eventsFrom(searchUrl, question, asked.signal)) {
    if ('answer' in said) {
      content += said.answer
      yield { type: 'answer', data: said.answer }
    } else {
      const { image: data, title } = said
      yield { type: 'image', data, title, source: host, preview: previewOf(data) }
    }
  }
  const { result, faults } = parseMedia(content)
  const problem = faults.length > 0 ? `The answer cannot be read: ${faults.slice(0, 3).join('; ')}` : undefined
  yield { type: 'answer', data: '', complete: await finishAnswer(run, { result, problem }, undefined) }
}

/**
 * The events from the service. Throws a Refusal with our own message if it is unreachable, fails or is not understood.
 */
async function* eventsFrom(
  searchUrl: string,
  question: Omit<Search, 'retry'>,
  signal: AbortSignal,
): AsyncGenerator<ExternalEvent> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(new DOMException('Silence', 'TimeoutError')), IDLE_TIMEOUT_MS)
  let hadContent = false
  try {
    const address = /\/api\/search\/?$/.test(searchUrl) ? searchUrl : `${searchUrl.replace(/\/+$/, '')}/api/search`
    const response = await inCall('POST', new URL(address), () =>
      fetch(address, {
        method: 'POST',
        // Redirects are not followed: the operator has named the host to query.
        redirect: 'manual',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ ...question, searchDepth: 'basic' }),
        signal: AbortSignal.any([signal, silence.signal]),
      }),
    )
    if (!response.ok || !response.body) {
      await response.body?.cancel()
      throw failureOf(
        { statusCode: response.status || 502, responseHeaders: Object.fromEntries(response.headers) },
        false,
      )
    }
    for await (const line of linesOf(response.body)) {
      timer.refresh()
      for (const said of readLine(line)) {
        hadContent = true
        yield said
      }
    }
    if (!hadContent) throw aiFailure('malformed')
  } catch (error) {
    throw failureOf(silence.signal.aborted ? silence.signal.reason : error, hadContent)
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

/** The lines of a response. A line is only split off once its end has arrived, however small the chunks are. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let [text, size] = ['', 0]
  for await (const bytes of body) {
    const more = decoder.decode(bytes, { stream: true })
    text += more
    size += bytes.length
    const lines = more.includes('\n') ? text.split(/\r?\n/) : [text]
    text = lines.pop() ?? ''
    if (size > MAX_ANSWER_BYTES || text.length > MAX_LINE_CHARS) throw aiFailure('large')
    yield* lines
  }
  if (text) yield text
}

/** Reads a line `data: {"type","data"}`. Other lines are ignored. An error is reported without its details. */
function readLine(line: string): ExternalEvent[] {
  const json = /^data:\s?(.*)$/.exec(line)?.[1]
  const { type, data } = (json ? parsed(json) : {}) as { type?: unknown; data?: unknown }
  if (type === 'error') throw aiFailure('failed')
  if (type === 'answer') {
    const text = typeof data === 'string' ? data : textIn(data, ['content', 'text', 'answer'])
    return text ? [{ answer: text }] : []
  }
  if (type !== 'image') return []
  return (Array.isArray(data) ? (data as unknown[]) : [data]).flatMap((each) => {
    const image = typeof each === 'string' ? each : textIn(each, ['url', 'src', 'image', 'thumbnail'])
    if (!image || image.length > 2000 || !/^https?:\/\//i.test(image)) return []
    return [{ image, title: toPlainText(textIn(each, ['title', 'description', 'alt']) ?? '').slice(0, 300) }]
  })
}

function textIn(value: unknown, names: string[]): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = names.map((name) => (value as Record<string, unknown>)[name])
  return found.find((each): each is string => typeof each === 'string')
}

function parsed(json: string): object {
  try {
    const value = JSON.parse(json) as unknown
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
