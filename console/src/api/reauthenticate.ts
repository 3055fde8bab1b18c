import { authApi } from '@mokuroku/contract/auth'
import { createStore } from '#lib/createStore.ts'

/** A pending password prompt. The dialog calls `answer` with whether the password was confirmed. */
interface Question {
  answer: (confirmed: boolean) => void
}

/** The open prompt, if any; the shell shows it. */
export const passwordQuestion = createStore<Question | undefined>(undefined)
let asking: Promise<boolean> | undefined

/**
 * Whether to repeat a call after this response: the server asked for the password first, and the user has entered it.
 * Concurrent calls share one prompt.
 */
export async function mayRepeat(status: number, body: unknown, url: string): Promise<boolean> {
  if (status !== 403 || codeOf(body) !== 'reauthenticate' || url === authApi.confirm.path) return false
  asking ??= ask().finally(() => (asking = undefined))
  return asking
}

const ask = (): Promise<boolean> =>
  new Promise((resolve) => {
    const question: Question = {
      answer: (confirmed) => {
        if (passwordQuestion.get() === question) passwordQuestion.set(undefined)
        resolve(confirmed)
      },
    }
    passwordQuestion.set(question)
  })

const codeOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
