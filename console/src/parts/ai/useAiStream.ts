import { ApiError } from '@mokuroku/contract/call'
import type { AiRun, UnavailableSource } from '@mokuroku/contract/provenance'
import { useEffect, useRef, useState } from 'react'
import { messageOf, serverMessage } from '#i18n/errors.ts'
import { aiTexts } from './texts.ts'

/** A finished answer. `run` is missing if the stream broke off before it was sent. */
export interface Answer<Result> {
  result: Result | null
  run?: AiRun | undefined
  /** Why it cannot be used, or only in part. */
  problem?: string | undefined
  /** Sources that were unavailable. */
  unavailable?: UnavailableSource[] | undefined
  /** Whether any source knows the entity; if several were asked about, `unknown` lists those that none knows. */
  isKnown?: boolean | undefined
  unknown?: readonly string[] | undefined
}

/** One event of any of the AI streams. Without `result`, the answer is read from the text. */
export interface Step<Result> {
  content?: string
  answer?: Omit<Answer<Result>, 'result'> & { result?: Result | null | undefined }
}

export type AiState<Result> =
  | { state: 'idle'; text: '' }
  | { state: 'running'; text: string }
  | { state: 'done'; text: string; answer: Answer<Result> }
  | { state: 'failed'; text: string; title: string; hint: string }
  | { state: 'stopped'; text: string }

interface StreamOptions<Result> {
  /** Parses the text of an answer that was interrupted or has no result; undefined if nothing can be read from it. */
  read: (text: string) => Result | undefined
  /** The error message (docs/behaviour.md#messages). */
  failure: (error: unknown, text: string) => string
}

const IDLE = { state: 'idle', text: '' } as const

/**
 * Runs one AI stream at a time: `start((signal) => steps)`, which resolves with the final state. Stopping it, starting
 * another, or unmounting aborts the stream, and with it the work on the server.
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
    let answer: Step<Result>['answer']
    try {
      for await (const step of open(control.signal)) {
        text += step.content ?? ''
        answer = step.answer ?? answer
        // Chunks may arrive faster than frames are rendered.
        cancelAnimationFrame(frame)
        frame = requestAnimationFrame(() => show({ state: 'running', text }))
      }
    } catch (error) {
      if (control.signal.aborted) return show({ state: 'stopped', text })
      return show(broken(text, error))
    }
    if (control.signal.aborted) return show({ state: 'stopped', text })
    if (!answer) return show(broken(text, undefined))
    const { result = read(text) ?? null } = answer
    return show({ state: 'done', text, answer: { ...answer, result } })
  }

  /** An interrupted answer counts as done if the received part can be parsed. */
  function broken(text: string, error: unknown): AiState<Result> {
    const { codes, broken: problem } = aiTexts.get()
    const result = text ? read(text) : undefined
    if (result !== undefined) return { state: 'done', text, answer: { result, problem } }
    const hint = error instanceof ApiError ? (codes[error.code ?? ''] ?? serverMessage(error) ?? messageOf(error)) : ''
    return { state: 'failed', text, title: failure(error, text), hint }
  }

  return {
    now,
    start,
    stop: () => running.current?.abort(),
  }
}
