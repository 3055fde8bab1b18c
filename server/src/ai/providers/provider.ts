import type { AiRun, AiSource } from '@mokuroku/contract/provenance'
import type { SuggestedTexts } from '@mokuroku/contract/suggestion'
import type { Merged } from '../sources/merge.ts'
import type { Work } from '../sources/source.ts'

export type Texts = Record<string, Record<string, string | null>>

/** What is known of one of several things: texts that are established, by language and field. */
export interface References {
  texts: SuggestedTexts
  sources: AiSource[]
}

/** What is asked. `languages` are those that the console offers; everything else is material, never an order. */
export type Task = { languages: string[] } & (
  | { call: 'media'; topic: string; works: Work[]; merged: Merged | undefined }
  | { call: 'enhance'; texts: Texts; known: References }
  | { call: 'standardize'; items: { id: string; translations: Texts; languages: string[]; known: References }[] }
  | {
      call: 'search'
      topic: string
      requirement: string
      works: Work[]
      merged: Merged | undefined
      /** What could not be asked, in sentences. */
      failures: string[]
    }
  /** An answer that could not be read, with what is wrong with it. */
  | { call: 'repair'; task: Task; answer: string; faults: string[] }
  | { call: 'test' }
)

/** What an answer cost, where the endpoint says. */
export interface TokenUsage {
  inputTokens?: number | undefined
  outputTokens?: number | undefined
}

/** Who answers. Adding one is a file like those beside this, and a line in index.ts. */
export interface Provider {
  kind: AiRun['provider']
  /** The model, or what answers in its place. */
  name: string
  /** The name and version of the instructions for a task; '' where there are none. */
  promptOf: (task: Task) => string
  /** About how many tokens the question has. */
  costOf: (task: Task) => number
  /**
   * The answer, as it is made, and at the end what it cost. Throws a Refusal, in words for the user and with nothing
   * of what the other side sent; ends with the signal.
   */
  answer: (task: Task, signal: AbortSignal) => AsyncGenerator<string, TokenUsage>
}
