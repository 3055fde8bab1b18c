import { withoutReasoning } from '@mokuroku/contract/suggestion'
import { Refusal } from '#lib/errors.ts'
import type { Conversation } from './runs.ts'
import type { Task } from './providers/provider.ts'
import type { Parsed } from './parseAnswers.ts'

/** How many of an answer's errors are reported. */
const MAX_REPORTED_ERRORS = 3

export interface ParsedResult<Result> {
  result: Result | null
  /** What is wrong with the answer, for the user. */
  problem?: string | undefined
}

/**
 * Asks and parses; if the answer has the wrong format, asks once for a corrected one. Yields the text as it arrives.
 */
export async function* askAndParse<Result>(
  { ask }: Conversation,
  task: Task,
  read: (content: string) => Parsed<Result>,
): AsyncGenerator<string, ParsedResult<Result>> {
  const answer = yield* ask(task)
  const first = read(answer)
  if (first.faults.length === 0) return { result: first.result }
  yield '\n\nThe answer has the wrong format. Asking for a corrected version.\n\n'
  const { languages } = task
  const repair = { call: 'repair' as const, languages, task, answer: withoutReasoning(answer), faults: first.faults }
  let second: Parsed<Result> = { result: null, faults: [] }
  try {
    second = read(yield* ask(repair))
  } catch (error) {
    if (!first.result || !(error instanceof Refusal)) throw error
  }
  if (second.result && second.faults.length === 0) return { result: second.result }
  const result = second.result ?? first.result
  const faults = (second.faults.length > 0 ? second.faults : first.faults).slice(0, MAX_REPORTED_ERRORS).join('; ')
  return {
    result,
    problem: result ? `Something was left out of the answer: ${faults}` : `The answer cannot be read: ${faults}`,
  }
}
