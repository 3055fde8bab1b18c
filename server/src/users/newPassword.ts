import { fieldError } from '@mokuroku/contract/faults'
import { normalize } from '@mokuroku/contract/normalize'
import { invalid } from '#lib/errors.ts'
import { lazy } from '#lib/lazy.ts'

/** How many of the most common passwords are refused. */
const MAX_RANK = 10_000
/** Shorter names are part of many good passwords. */
const MIN_NAME = 4

interface Owner {
  username: string
  email: string
}

/** Loaded when the first password is checked, since most runs of the server never need it. */
const readCommon = lazy(async () => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common']?.slice(0, MAX_RANK).map((password) => fold(password)))
})

/** Why a new password of this account is weak, apart from its length; undefined if it is not. */
export async function weaknessOf(
  password: string,
  { username, email }: Owner,
): Promise<'passwordCommon' | 'passwordPersonal' | undefined> {
  const folded = fold(password)
  if ((await readCommon()).has(folded)) return 'passwordCommon'
  const names = [username, email.split('@')[0] ?? ''].map(fold).filter((name) => name.length >= MIN_NAME)
  return names.some((name) => folded.includes(name)) ? 'passwordPersonal' : undefined
}

/** Throws 400 for a new password that would be easy to guess. */
export async function refuseWeakPassword(password: string, owner: Owner): Promise<void> {
  const weakness = await weaknessOf(password, owner)
  if (!weakness) return
  const wrong = fieldError('password', weakness)
  invalid([wrong], `${wrong.message}.`)
}

function fold(text: string): string {
  return normalize(text, 'NFKC').toLowerCase()
}
