import { ApiError } from '@mokuroku/contract/call'
import type { AiRun, UnavailableSource } from '@mokuroku/contract/provenance'
import { useEffect, useRef, useState } from 'react'
import { messageOf, serverMessage } from '#api/errors.ts'
import { aiTexts } from './texts.ts'

/** What an answer held in the end. `run` is missing when it broke off before it said where it is from. */
export interface Answer<Result> {
  result: Result | null
  run?: AiRun | undefined
  /** Why it cannot be used, or not all of it. */
  problem?: string | undefined
  /** The sources that could not be asked for it. */
  unavailable?: UnavailableSource[] | undefined
  /** Whether any source knows what was asked about; where several things were, `unknown` has those that none knows. */
  isKnown?: boolean | undefined
  unknown?: readonly string[] | undefined
}

/** One event of any of the AI streams. */
export interface Step<Result> {
  content?: string
  answer?: Answer<Result>
}

export type AiState<Result> =
  | { state: 'idle'; text: '' }
  | { state: 'running'; text: string }
  | { state: 'done'; text: string; answer: Answer<Result> }
  | { state: 'failed'; text: string; title: string; hint: string }
  | { state: 'stopped'; text: string }

interface StreamOptions<Result> {
  /** Reads what had arrived of an answer that broke off; undefined when that says nothing. */
  read: (text: string) => Result | undefined
  /** The text of a failure (docs/behaviour.md#messages). */
  failure: (error: unknown, text: string) => string
}

const IDLE = { state: 'idle', text: '' } as const

/**
 * Runs one AI stream at a time and follows it: `start((signal) => steps)`. Its promise is the state that it ended in.
 * Stopping it, starting anew or leaving the screen ends the work on the server too.
 */
export function useAiStream<Result>({ read, failure }: StreamOptions<Result>) {
  const [now, setNow] = useState<AiState<Result>>(IDLE)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function start(open: (signal: AbortSignal) => AsyncIterable<Step<Result>>): Promise<AiState<Result>> {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    let text = ''
    let frame = 0
    const show = (state: AiState<Result>) => {
      cancelAnimationFrame(frame)
      if (running.current === control) setNow(state)
      return state
    }
    show({ state: 'running', text })
    let answer: Answer<Result> | undefined
    try {
      for await (const step of open(control.signal)) {
        text += step.content ?? ''
        answer = step.answer ?? answer
        // Words may come faster than they can be drawn.
        cancelAnimationFrame(frame)
        frame = requestAnimationFrame(() => show({ state: 'running', text }))
      }
    } catch (error) {
      if (control.signal.aborted) return show({ state: 'stopped', text })
      return show(broken(text, error))
    }
    if (control.signal.aborted) return show({ state: 'stopped', text })
    return show(answer ? { state: 'done', text, answer } : broken(text, undefined))
  }

  /** An answer that was cut off counts if the part that arrived can be parsed. */
  function broken(text: string, error: unknown): AiState<Result> {
    const { codes, broken: problem } = aiTexts.now()
    const result = text ? read(text) : undefined
    if (result !== undefined) return { state: 'done', text, answer: { result, problem } }
    const hint = error instanceof ApiError ? (codes[error.code ?? ''] ?? serverMessage(error) ?? messageOf(error)) : ''
    return { state: 'failed', text, title: failure(error, text), hint }
  }

  return {
    now,
    start,
    stop: () => running.current?.abort(),
    reset: () => {
      running.current?.abort()
      running.current = undefined
      setNow(IDLE)
    },
  }
}
