import { authApi } from '@mokuroku/contract/auth'
import { createStore } from '#lib/createStore.ts'

/** What waits for the password: whoever shows the question answers whether it was entered. */
interface Question {
  answer: (confirmed: boolean) => void
}

/** The question that is open, if any; shown by the shell. */
export const passwordQuestion = createStore<Question | undefined>(undefined)
let asking: Promise<boolean> | undefined

/**
 * Whether a call that was answered like this is to be made again: the server wants the password first, and the person has
 * entered it. Calls that come to it at the same time ask once.
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
