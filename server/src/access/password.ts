import { hash, verify } from '@node-rs/argon2'

// OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

/** Stands for the hash of a password that was not chosen yet. */
export const INVITED = 'invited'

/**
 * Whether the password fits. Without a hash it takes as long, so that time does not tell whether an account exists; so
 * it does with what is no hash, for an account that nobody is to sign in to.
 */
export async function fits(password: string, passwordHash: string | undefined): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const kept = passwordHash?.startsWith('$argon2id$') ? passwordHash : undefined
  const fitting = await verify(kept ?? (await nobody), password)
  return fitting && kept !== undefined
}

let nobody: Promise<string> | undefined
