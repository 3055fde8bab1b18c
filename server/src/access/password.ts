import { normalize } from '@mokuroku/contract/normalize'
import { lazy } from '#lib/lazy.ts'
import { notInstalled } from '#lib/notInstalled.ts'

/** Loads Argon2, which is compiled for one platform each. Throws an Error with a one-line message if it cannot. */
export const requireArgon2 = lazy(() =>
  import('@node-rs/argon2').catch((error: unknown) => {
    throw notInstalled('@node-rs/argon2, which hashes passwords,', error)
  }),
)

// OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The form of a password that is hashed: NFC, since keyboards differ in whether they compose letters and accents. */
const composed = (password: string): string => normalize(password, 'NFC')

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await requireArgon2()
  return hash(composed(password), COST)
}

/** Stored in place of a hash while an invited user has not chosen a password yet. */
export const INVITED = 'invited'

/**
 * Whether the password matches the hash. Without a hash it takes just as long, so that the response time does not
 * reveal whether an account exists. A stored value that is no Argon2id hash (an account without a password) never
 * matches.
 */
export async function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const { verify } = await requireArgon2()
  const kept = passwordHash?.startsWith('$argon2id$') ? passwordHash : undefined
  const stored = kept ?? (await unmatchedHash())
  // Older versions hashed passwords as they were typed.
  const forms = new Set([composed(password), password])
  for (const form of forms) if (await verify(stored, form)) return kept !== undefined
  return false
}

const unmatchedHash = lazy(() => hashPassword('nobody has this password'))
