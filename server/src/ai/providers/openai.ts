import type { LanguageModel, LanguageModelUsage, streamText as StreamText } from 'ai'
import { inCall } from '#lib/tracing.ts'
import { promptFor } from '../prompts.ts'
import { aiFailure, failureOf, refusesUsage } from './failures.ts'
import type { Provider, TokenUsage, Task } from './provider.ts'

/** The longest answer that is read, in characters, and including protocol overhead, in bytes. */
const MAX_ANSWER = { characters: 200_000, bytes: 16 * 1024 * 1024 }
/** Timeouts for the first chunk of an answer, each further one, and the whole, in milliseconds. */
const TIMEOUTS = { firstChunkMs: 120_000, chunkMs: 60_000, totalMs: 600_000 }
/** The highest token count of one answer that is believed. */
const MAX_TOKENS = 10_000_000
/** Estimated characters per token; texts not in Latin letters have fewer. */
const CHARS_PER_TOKEN = 3

interface Endpoint {
  /** Without a trailing slash. */
  baseUrl: string
  model: string
  /** Empty if the endpoint needs none. */
  apiKey: string
  timeouts?: typeof TIMEOUTS
}

/** A provider for any OpenAI-compatible chat endpoint, hosted or local. */
export function openai({ baseUrl, model: name, apiKey, timeouts = TIMEOUTS }: Endpoint): Provider {
  return {
    kind: 'model',
    name,
    promptOf: (task) => promptFor(task).version,
    costOf: (task) => {
      const { instructions, prompt } = promptFor(task)
      return tokensIn(instructions + prompt)
    },
    answer: async function* (task, signal, onUsage) {
      // Loaded lazily: never needed without a model.
      const [{ streamText }, { createOpenAICompatible }] = await Promise.all([
        import('ai'),
        import('@ai-sdk/openai-compatible'),
      ])
      // Otherwise the SDK prints warnings about what an endpoint does not support.
      globalThis.AI_SDK_LOG_WARNINGS = false
      const endpoint = `${baseUrl} ${name}`
      const send = (wire: Wire) => {
        const provider = createOpenAICompatible({
          name: 'model',
          baseURL: baseUrl,
          includeUsage: !withoutUsage.has(endpoint),
          fetch: bounded(wire),
          ...(apiKey && { apiKey }),
        })
        return streamed(streamText, provider(name), task, { signal, timeouts, wire, onUsage })
      }
      const wire: Wire = { isDone: false }
      try {
        yield* send(wire)
      } catch (error) {
        if (!wire.refusesUsage || withoutUsage.has(endpoint)) throw error
        withoutUsage.add(endpoint)
        yield* send({ isDone: false })
      }
    },
  }
}

/** The endpoints and models that refuse requests for their token usage. */
const withoutUsage = new Set<string>()

interface RequestOptions {
  signal: AbortSignal
  timeouts: typeof TIMEOUTS
  wire: Wire
  onUsage: ((usage: TokenUsage) => void) | undefined
}

export const tokensIn = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN)

async function* streamed(
  streamText: typeof StreamText,
  model: LanguageModel,
  task: Task,
  { signal, timeouts, wire, onUsage }: RequestOptions,
): AsyncGenerator<string, void> {
  const ending = new AbortController()
  const { instructions, prompt } = promptFor(task)
  let length = 0
  try {
    const { stream } = streamText({
      model,
      instructions,
      prompt,
      timeout: timeouts,
      // Retrying is left to the user.
      maxRetries: 0,
      abortSignal: AbortSignal.any([signal, ending.signal]),
      // Otherwise the SDK prints the error with everything that the endpoint sent.
      onError: () => undefined,
    })
    for await (const part of stream) {
      if (part.type === 'text-delta') {
        length += part.text.length
        if (length > MAX_ANSWER.characters) throw aiFailure('large')
        if (part.text) yield part.text
      } else if (part.type === 'error') {
        if (length === 0 || !wire.isDone || !isWithoutReason(part.error)) throw sentError(part.error)
      } else if (part.type === 'abort') throw aiFailure('slow')
      else if (part.type === 'finish') {
        onUsage?.(usageIn(part.totalUsage))
        if (part.finishReason === 'length') throw aiFailure('length')
        if (part.finishReason === 'content-filter') throw aiFailure('refused')
        if (length === 0) throw aiFailure('empty')
        return
      }
    }
    throw aiFailure(length > 0 ? 'cut' : 'malformed')
  } catch (error) {
    wire.refusesUsage = refusesUsage(error)
    throw failureOf(error, length > 0)
  } finally {
    ending.abort()
  }
}

/**
 * The reported tokens; undefined if the counts are missing or impossible. Some services count those of reasoning only in
 * the total.
 */
function usageIn({ raw = {} }: LanguageModelUsage): TokenUsage {
  const inputTokens = countIn(raw.prompt_tokens)
  const [output = 0, total = 0] = [countIn(raw.completion_tokens), countIn(raw.total_tokens)]
  return { inputTokens, outputTokens: Math.max(output, inputTokens ? total - inputTokens : 0) || undefined }
}

const countIn = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_TOKENS ? Number(value) : undefined

/** An error event within the stream, as if it were an error response; other errors as they are. */
function sentError(error: unknown): unknown {
  const { name, data, value, statusCode = 500 } = (error ?? {}) as SdkError
  const sent = name === 'AI_StreamProviderError' ? data : value?.error
  return sent ? { statusCode, responseBody: JSON.stringify(sent) } : error
}

interface SdkError {
  name?: string
  /** The event, if the SDK understands it, or what contains it, if not. */
  data?: unknown
  value?: { error?: unknown } | null
  statusCode?: number
}

interface Wire {
  /** Whether the response stream reached the protocol's end marker. */
  isDone: boolean
  /** Whether the endpoint rejected the request because it asks for the token usage. */
  refusesUsage?: boolean
}

/** Some endpoints give no finish reason, but do send the end marker. */
const isWithoutReason = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AI_InvalidResponseDataError' && /finish reason/.test(error.message)

const DONE = /data:\s*\[DONE\]\s*$/

/** Some endpoints send it in every chunk, and the SDK takes it for an error. Within a text, its quotes are escaped. */
const NULL_ERROR = /"error"(?=\s*:\s*null\b)/g

/** A fetch that follows no redirects, which could carry the key elsewhere, and limits the size of an answer. */
const bounded =
  (wire: Wire): typeof fetch =>
  async (address, init) => {
    const url = new URL(address instanceof Request ? address.url : address)
    const response = await inCall(init?.method ?? 'GET', url, () => fetch(address, { ...init, redirect: 'manual' }))
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      throw aiFailure('redirect')
    }
    if (!response.body) return response
    let [size, last, line] = [0, '', '']
    const linesOf = (text: string) => Buffer.from(text.replaceAll(NULL_ERROR, '"_"'), 'latin1')
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          // Latin-1 keeps every byte.
          const text = Buffer.from(part).toString('latin1')
          size += text.length
          last = (last + text.slice(-40)).slice(-40)
          wire.isDone = DONE.test(last)
          const end = text.lastIndexOf('\n') + 1
          if (size > MAX_ANSWER.bytes) controller.error(aiFailure('large'))
          else if (end > 0) controller.enqueue(linesOf(line + text.slice(0, end)))
          line = (end > 0 ? '' : line) + text.slice(end)
        },
        flush: (controller) => controller.enqueue(linesOf(line)),
      }),
    )
    const { status, statusText, headers } = response
    return new Response(counted, { status, statusText, headers })
  }
