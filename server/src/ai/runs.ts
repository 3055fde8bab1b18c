import type { AiRun, AiSource } from '@mokuroku/contract/provenance'
import { Refusal } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { counter, duration } from '#lib/metrics.ts'
import { beginSpan } from '#lib/tracing.ts'
import type { Actor } from '#access/permissions.ts'
import type { Answered } from '#database/tables.ts'
import { type CallName, runs } from '#store/ai'
import { audit } from '#store/audit'
import { checkBudget, type Slot } from './limits.ts'
import { tokensIn } from './providers/openai.ts'
import type { Provider, TokenUsage, Task } from './providers/provider.ts'

/** A user's request for an answer, with its slot; `signal` aborts when the client disconnects. */
export interface AiRequest {
  actor: Actor
  signal: AbortSignal
  slot: Slot
  /** The stored run of the answer, once there is one. */
  run?: RunHandle
}

/** Stores the course of one run: the provider, its cost and its outcome. */
export interface RunHandle {
  run: AiRun
  /** Stores what the answer contained. `outcome` is 'done' or an error code. */
  end: (answers: Answered[], outcome?: string) => Promise<AiRun>
  /** Stores that the run was aborted or failed; does nothing after `end`. */
  abort: (error?: unknown) => Promise<void>
}

/** A run with a function to ask the provider. */
export interface Conversation extends RunHandle {
  /** Asks, yields the answer as it arrives, and returns all of it. */
  ask: (task: Task) => AsyncGenerator<string, string>
}

const durations = duration('ai_call_duration_seconds', 'Duration of AI answers by outcome, in seconds', [
  'call',
  'provider',
  'outcome',
])
const tokens = counter('ai_tokens_total', 'Tokens of AI answers, as counted or estimated', ['provider', 'direction'])

/** Stores a run as started. */
export async function startRun(
  from: Pick<AiRun, 'provider' | 'model' | 'prompt' | 'inputTokens'>,
  call: CallName,
  sources: AiSource[],
  asked: AiRequest,
): Promise<RunHandle> {
  const { actor, signal } = asked
  const started = performance.now()
  let isOver = false
  const isEstimate = from.provider === 'model'
  const run: AiRun = { _id: newId(), ...from, sources, startedAt: now(), milliseconds: 0, outputTokens: 0, isEstimate }
  await runs.start(run, actor, call)
  const span = beginSpan(`ai ${call}`, {
    kind: 'internal',
    attributes: { 'gen_ai.request.model': from.model, 'mokuroku.ai.call': call, 'mokuroku.ai.provider': from.provider },
  })
  const end = async (answers: Answered[], outcome = 'done'): Promise<AiRun> => {
    if (isOver) return run
    isOver = true
    run.milliseconds = Math.round(performance.now() - started)
    const finalOutcome = signal.aborted ? 'cancelled' : outcome
    const { _id, provider, model, prompt, inputTokens, outputTokens, milliseconds } = run
    durations.observe({ call, provider, outcome: finalOutcome }, milliseconds / 1000)
    span?.set({ 'gen_ai.usage.input_tokens': inputTokens, 'gen_ai.usage.output_tokens': outputTokens })
    span?.end(['done', 'unknown', 'cancelled'].includes(finalOutcome) ? undefined : finalOutcome)
    tokens.inc({ provider, direction: 'in' }, inputTokens)
    tokens.inc({ provider, direction: 'out' }, outputTokens)
    audit.recordLater({
      action: 'ai.called',
      outcome: ['done', 'unknown', 'cancelled'].includes(finalOutcome) ? 'ok' : 'failed',
      actor,
      details: {
        call,
        provider,
        model,
        prompt,
        inputTokens,
        outputTokens,
        milliseconds,
        became: finalOutcome,
        run: _id,
      },
    })
    await runs.finish(run, finalOutcome, answers)
    return run
  }
  const abort = async (error?: unknown): Promise<void> => {
    await end([], error instanceof Refusal ? error.code : 'failed')
  }
  asked.run = { run, end, abort }
  return asked.run
}

/** Passes on the parts of an answer; in any case stores the outcome and frees the slot afterwards. */
export async function* withRunCleanup<Part, Result>(
  asked: AiRequest,
  parts: AsyncGenerator<Part, Result>,
): AsyncGenerator<Part, Result> {
  try {
    return yield* parts
  } catch (error) {
    await asked.run?.abort(error)
    throw error
  } finally {
    await asked.run?.abort()
    asked.slot.leave()
  }
}

/** Maps the parts of a generator; keeps its return value. */
export async function* mapStream<Part, Form, Result>(
  parts: AsyncGenerator<Part, Result>,
  to: (part: Part) => Form,
): AsyncGenerator<Form, Result> {
  try {
    let next = await parts.next()
    for (; !next.done; next = await parts.next()) yield to(next.value)
    return next.value
  } finally {
    // Does nothing if the generator has ended.
    await parts.return(undefined as never)
  }
}

/** Starts a conversation with a provider about a task; it may take more than one prompt. */
export async function startConversation(
  provider: Provider,
  task: Task & { call: CallName },
  sources: AiSource[],
  asked: AiRequest,
): Promise<Conversation> {
  const { kind, name: model } = provider
  const estimate = provider.costOf(task)
  if (estimate > 0) await checkBudget(asked.actor, asked.slot.settings, { needed: estimate })
  const handle = await startRun(
    { provider: kind, model, prompt: provider.promptOf(task), inputTokens: estimate },
    task.call,
    sources,
    asked,
  )
  let [inputTokens, outputTokens, isEstimate] = [0, 0, false]
  return {
    ...handle,
    ask: async function* (question) {
      // The slot was acquired for the first prompt. Until the run ends, only its estimate is stored.
      const spent = inputTokens + outputTokens
      if (spent > 0) await checkBudget(asked.actor, asked.slot.settings, { unstored: spent - estimate })
      let [content, said]: [string, TokenUsage] = ['', {}]
      let isRefused = false
      try {
        for await (const piece of provider.answer(question, asked.signal, (usage) => (said = usage))) {
          content += piece
          yield piece
        }
      } catch (error) {
        isRefused = content === '' && !asked.signal.aborted
        throw error
      } finally {
        // A prompt that was refused costs nothing.
        inputTokens += said.inputTokens ?? (isRefused ? 0 : provider.costOf(question))
        outputTokens += said.outputTokens ?? (kind === 'model' ? tokensIn(content) : 0)
        isEstimate ||= said.inputTokens === undefined || said.outputTokens === undefined
        Object.assign(handle.run, { inputTokens, outputTokens, isEstimate, prompt: provider.promptOf(question) })
      }
      return content
    },
  }
}
