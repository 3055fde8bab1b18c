import { ApiError } from '@mokuroku/contract/call'
import type { UserInput } from '@mokuroku/contract/users'
import { toFieldMessage } from '#api/errors.ts'
import { texts as area } from './texts.ts'

/** Does it; what the server refuses for the sake of other accounts is said in words, at the value it is about. */
export async function inWords<T>(act: () => Promise<T>, { role }: Pick<UserInput, 'role'> = {}): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const texts = area.now()
    if (error.code === 'lastAdmin')
      throw toFieldMessage(error, role === undefined || role === 'admin' ? 'isActive' : 'role', texts.lastAdmin)
    if (error.code === 'self') throw toFieldMessage(error, 'isActive', texts.self)
    const taken = error.code === 'duplicate' && (['email', 'username'] as const).find((path) => names(error, path))
    throw taken ? toFieldMessage(error, taken, texts.taken[taken]) : error
  }
}

const names = ({ errors }: ApiError, path: string) => errors?.some((fault) => fault.path === path) ?? false
