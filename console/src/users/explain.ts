import { ApiError } from '@mokuroku/contract/call'
import type { UserInput } from '@mokuroku/contract/users'
import { toFieldMessage } from '#lib/fieldMessage.ts'
import { session } from '#api/session.ts'
import type { Fields } from '#lib/editorText.ts'
import { userTexts } from './texts.ts'

/**
 * Runs a request; errors that concern other accounts become field errors. `body` is the request body, `id` the account
 * that is changed.
 */
export async function explain<T>(act: () => Promise<T>, body: Fields = {}, id?: string): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Validated as UserInput before, or empty.
    const { role } = body as UserInput
    const texts = userTexts.get()
    if (error.code === 'lastAdmin')
      throw toFieldMessage(error, role === undefined || role === 'admin' ? 'isActive' : 'role', texts.lastAdmin)
    if (error.code === 'self') throw toFieldMessage(error, 'isActive', texts.self)
    const me = session.get()
    if (error.code === 'forbidden' && me.state === 'in' && id === me.user._id)
      throw role === me.user.role
        ? toFieldMessage(error, 'scores', texts.ownScores)
        : toFieldMessage(error, 'role', texts.ownRole)
    const taken = error.code === 'duplicate' && (['email', 'username'] as const).find((path) => names(error, path))
    throw taken ? toFieldMessage(error, taken, texts.taken[taken]) : error
  }
}

const names = ({ errors }: ApiError, path: string) => errors?.some((fault) => fault.path === path) ?? false
