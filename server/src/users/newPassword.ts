import { dictionary } from '@zxcvbn-ts/language-common'
import { fieldError } from '@mokuroku/contract/faults'
import { invalid } from '#lib/errors.ts'

/** So many of the most common passwords are refused. */
const MAX_RANK = 10_000
/** Shorter names are part of many a good password. */
const MIN_NAME = 4

interface Owner {
  username: string
  email: string
}

const common = new Set(dictionary['passwords-common']?.slice(0, MAX_RANK).map((password) => fold(password)))

/** What is wrong with a new password of this account, beside its length; undefined when nothing is. */
export function weaknessOf(
  password: string,
  { username, email }: Owner,
): 'passwordCommon' | 'passwordPersonal' | undefined {
  const folded = fold(password)
  if (common.has(folded)) return 'passwordCommon'
  const names = [username, email.split('@')[0] ?? ''].map(fold).filter((name) => name.length >= MIN_NAME)
  return names.some((name) => folded.includes(name)) ? 'passwordPersonal' : undefined
}

/** Throws 400 for a new password that would soon be guessed. */
export function refuseWeakPassword(password: string, owner: Owner): void {
  const weakness = weaknessOf(password, owner)
  if (!weakness) return
  const wrong = fieldError('password', weakness)
  invalid([wrong], `${wrong.message}.`)
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
