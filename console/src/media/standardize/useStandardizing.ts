import { aiApi } from '@mokuroku/contract/ai'
import { ApiError } from '@mokuroku/contract/call'
import { extractJson, StandardizedItem } from '@mokuroku/contract/suggestion'
import { useState } from 'react'
import * as z from 'zod/mini'
import { stream } from '#api/stream.ts'
import { aiTexts } from '#parts/ai/texts.ts'
import { type Step, useAiStream } from '#parts/ai/useAiStream.ts'
import { standardizeTexts } from './texts.ts'

type Translations = StandardizedItem['translations']
export interface Wanted {
  id: string
  translations: Translations
}

/**
 * Standardizes media and collects the results: an interrupted answer loses nothing that has arrived, and what is
 * missing can be requested again.
 */
export function useStandardizing() {
  const [requested, setRequested] = useState<readonly Wanted[]>([])
  const [results, setResults] = useState<ReadonlyMap<string, Translations>>(new Map())
  const [runs, setRuns] = useState<readonly string[]>([])
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const { now, start, stop } = useAiStream<StandardizedItem[]>({ read, failure })

  const run = async (wanted: readonly Wanted[]) => {
    const end = await start((signal) => standardization(wanted, signal))
    if (end.state !== 'done') return
    const known = new Set(wanted.map(({ id }) => id))
    const found = (end.answer.result ?? []).filter(({ id }) => known.has(id))
    // Others may have been saved meanwhile.
    setResults((before) => new Map([...before, ...found.map(({ id, translations }) => [id, translations] as const)]))
    setUnknown(end.answer.unknown ?? [])
    const runId = end.answer.run?._id
    if (runId) setRuns((before) => [...before, runId])
  }
  // Asking again would not help with media that no source knows.
  const missing = requested.filter(({ id }) => !results.has(id) && !unknown.includes(id))
  return {
    now,
    stop,
    results,
    runs,
    missing,
    unknown,
    process: (wanted: readonly Wanted[]) => {
      setRequested(wanted)
      setUnknown([])
      setResults(new Map())
      setRuns([])
      void run(wanted)
    },
    /** Requests the media that have no result yet. */
    resume: () => void run(missing),
    /** Removes media that have been saved. */
    finish: (ids: ReadonlySet<string>) => {
      setResults((before) => new Map([...before].filter(([id]) => !ids.has(id))))
      setRequested((before) => before.filter(({ id }) => !ids.has(id)))
    },
  }
}

async function* standardization(
  text: readonly Wanted[],
  signal: AbortSignal,
): AsyncGenerator<Step<StandardizedItem[]>> {
  for await (const { data: line } of stream(aiApi.processStandard, {
    body: { text: [...text], stream: true },
    signal,
  })) {
    if (!('status' in line)) yield { content: contentOf(line) }
    else if (line.status === 'completed') {
      const sent: Partial<typeof line> = line
      const { result, run, errors = [] } = sent
      const unknown = errors.flatMap(({ id, code }) => (code === 'unknown' ? [id] : []))
      const problem = errors.find(({ code }) => code === 'faulty')?.message
      yield { answer: { result, run, problem, unknown } }
    } else if (line.result.length > 0) yield { answer: { result: line.result, problem: line.message } }
    else throw new ApiError(502, { message: line.message, code: line.code })
  }
}

/** Other servers name it `text`. */
const contentOf = (line: { content: string } | { text: string }) => ('text' in line ? line.text : line.content)

function read(text: string): StandardizedItem[] | undefined {
  const parsed = z.safeParse(z.array(StandardizedItem), extractJson(text))
  return parsed.success ? parsed.data : undefined
}

function failure(error: unknown, text: string): string {
  const { failures } = standardizeTexts.get()
  if (text) return aiTexts.get().failed
  if (!(error instanceof ApiError)) return error instanceof Error && error.message ? error.message : failures.start
  return error.status > 0 ? failures.http(error.status) : failures.start
}
