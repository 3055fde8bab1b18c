import { hash, verify } from '@node-rs/argon2'

// OWASP's recommendation for Argon2id: 19 MiB, two passes, one lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

/** Whether the password fits. Without a hash it takes as long, so that time does not tell whether an account exists. */
export async function fits(password: string, passwordHash: string | undefined): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const fitting = await verify(passwordHash ?? (await nobody), password)
  return fitting && passwordHash !== undefined
}

let nobody: Promise<string> | undefined
