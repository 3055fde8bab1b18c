import type { AiRun, AiSource } from '@mokuroku/contract/provenance'
import type { SuggestedTexts } from '@mokuroku/contract/suggestion'
import type { Merged } from '../sources/merge.ts'
import type { Work } from '../sources/source.ts'

export type Texts = Record<string, Record<string, string | null>>

/** Established texts of one entity, by language and field, with their sources. */
export interface References {
  texts: SuggestedTexts
  sources: AiSource[]
}

/**
 * A request to a provider. `languages` are those offered by the console; everything else is data, never instructions.
 */
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
      /** Sources that could not be queried, as sentences. */
      failures: string[]
    }
  /** Repairs an answer that could not be parsed; `faults` says what is wrong with it. */
  | { call: 'repair'; task: Task; answer: string; faults: string[] }
  | { call: 'test' }
)

/** The tokens of an answer, if the endpoint reports them. */
export interface TokenUsage {
  inputTokens?: number | undefined
  outputTokens?: number | undefined
}

/** An AI provider. To add one, add a file beside this one and a line in index.ts. */
export interface Provider {
  kind: AiRun['provider']
  /** The model, or what answers in its place. */
  name: string
  /** Name and version of the prompt for a task; '' if there is none. */
  promptOf: (task: Task) => string
  /** The estimated number of tokens of the prompt. */
  costOf: (task: Task) => number
  /**
   * Streams the answer. Throws a Refusal with a message for the user that contains nothing sent by the endpoint. Stops
   * when the signal aborts. `onUsage` receives the tokens, even of an answer that fails.
   */
  answer: (task: Task, signal: AbortSignal, onUsage?: (usage: TokenUsage) => void) => AsyncGenerator<string, void>
}
