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

let common: Promise<Set<string>> | undefined

/** Read when the first password is looked at: most starts see none. */
async function readCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common']?.slice(0, MAX_RANK).map((password) => fold(password)))
}

/** What is wrong with a new password of this account, beside its length; undefined when nothing is. */
export async function weaknessOf(
  password: string,
  { username, email }: Owner,
): Promise<'passwordCommon' | 'passwordPersonal' | undefined> {
  const folded = fold(password)
  common ??= readCommon()
  if ((await common).has(folded)) return 'passwordCommon'
  const names = [username, email.split('@')[0] ?? ''].map(fold).filter((name) => name.length >= MIN_NAME)
  return names.some((name) => folded.includes(name)) ? 'passwordPersonal' : undefined
}

/** Throws 400 for a new password that would soon be guessed. */
export async function refuseWeakPassword(password: string, owner: Owner): Promise<void> {
  const weakness = await weaknessOf(password, owner)
  if (!weakness) return
  const wrong = fieldError('password', weakness)
  invalid([wrong], `${wrong.message}.`)
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
