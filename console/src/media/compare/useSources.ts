import { ApiError } from '@mokuroku/contract/call'
import { useRef, useState } from 'react'
import { aiTexts } from '#parts/ai/texts.ts'
import { type AiState, useAiStream } from '#parts/ai/useAiStream.ts'
import { toast } from '#ui/toast.ts'
import { type FoundImage, fromProvider, fromSearch, readSuggestion, type Suggestion } from './sources.ts'
import { compareTexts } from './texts.ts'

/** Queries both sources in parallel; each can be retried alone. */
export function useSources() {
  const broke = (text: string, otherwise: string) => (text ? aiTexts.get().failed : otherwise)
  const one = useAiStream<Suggestion>({
    read: readSuggestion,
    failure: (_, text) => broke(text, compareTexts.get().failures.one),
  })
  const two = useAiStream<Suggestion>({
    read: readSuggestion,
    failure: (error, text) => broke(text, searchFailure(error)),
  })
  const [images, setImages] = useState<FoundImage[]>([])
  const lastTopic = useRef('')

  const ask = {
    1: () => one.start((signal) => fromProvider(lastTopic.current, signal)),
    2: () => {
      setImages([])
      const found: FoundImage[] = []
      const onImage = (image: FoundImage) => {
        if (found.some(({ data }) => data === image.data)) return
        found.push(image)
        setImages([...found])
      }
      const { now } = two
      const retry = (now.state === 'done' && now.answer.unavailable) || []
      const names = retry.map(({ name }) => name)
      return two.start((signal) => fromSearch(lastTopic.current, { retry: names, onImage, signal }))
    },
  }
  const generate = async (topic: string | undefined, only?: 1 | 2) => {
    if (topic !== undefined) lastTopic.current = topic
    if (only) return void (await ask[only]())
    const ends = await Promise.all([ask[1](), ask[2]()])
    if (ends.every(({ state }) => state === 'failed')) toast.error(compareTexts.get().failures.both)
  }
  const busy = one.now.state === 'running' || two.now.state === 'running'
  return { one, two, images, generate, busy }
}

function searchFailure(error: unknown): string {
  const { failures } = compareTexts.get()
  if (error instanceof ApiError) return error.status > 0 ? failures.search : failures.two
  return error instanceof Error && error.message ? error.message : failures.two
}

/** Why a source has nothing to compare: `absent` in any state, `lacking` only once its answer is complete. */
export function useColumn(now: AiState<Suggestion>) {
  const texts = compareTexts.use()
  if (now.state === 'idle') return { isUnknown: false }
  if (now.state !== 'done') return { absent: texts.absentReasons[now.state], isUnknown: false }
  const { result, run, problem } = now.answer
  if (result) return { isUnknown: false }
  // An external search service says in its own words that it knows nothing, or did not follow the format.
  const isUnknown = !problem && run?.provider !== 'search'
  const lacking = problem ? texts.unreadable : isUnknown ? texts.unknownTopic : texts.noData
  return { lacking, absent: lacking, isUnknown }
}

/** A source's result once it is done; null if it has none. */
export const resultOf = (now: AiState<Suggestion>) => (now.state === 'done' ? now.answer.result : undefined)
