import ipaddr from 'ipaddr.js'
import type { Client } from '#access/client.ts'
import { type Limiter, limiter } from '#access/limiter.ts'
import type { Tables } from '#database/tables.ts'
import { sessions } from '#store/auth'

/** Counts the calls from an address as a guard of a route: before their bodies are read. */
export const limitByAddress =
  (from: Limiter) =>
  ({ client }: { client: Client }): Promise<void> =>
    from.take(networkOf(client.address))

/** What a network address stands for: whoever has one of IPv6 has all the others of its network (/64) as well. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const known = ipaddr.process(address)
  return known instanceof ipaddr.IPv6 ? known.parts.slice(0, 4).join(':') : known.toString()
}

/** What somebody tries about an account: who, by what they typed, and where from. */
export interface Attempt {
  /** The e-mail address as it was typed, whether or not it is an account's. */
  email: string
  client: Client
  /** The hash of the account's password; undefined where there is no account. */
  passwordHash: string | undefined
  /** Whether the account has signed in from this network before. */
  isKnownNetwork: boolean
}

/** Somebody's attempt, by what they typed as the address of an account and the account that it is, if any. */
export async function attemptOf(email: string, user: Tables['users'] | undefined, client: Client): Promise<Attempt> {
  // Of nobody too, so that it takes as long.
  const known = await sessions.addressesOf(user?._id ?? '')
  const isKnownNetwork = known.some((address) => networkOf(address) === networkOf(client.address))
  return { email, client, passwordHash: user?.passwordHash, isKnownNetwork }
}

interface Budgets {
  /** From one network, in `minutes`. */
  perNetwork: number
  /** From all networks together that the account has not signed in from, in an hour. */
  strange: number
  minutes: number
}

/**
 * Limits attempts by account and network together, so that nobody uses up those of somebody elsewhere; and those from
 * many networks by account, but for networks where the account has signed in before. They count against a password, not
 * an account: whoever sets another, by a link or as an administrator, lifts what was counted.
 */
export function accountLimiter(name: string, { perNetwork, strange, minutes }: Budgets) {
  const byNetwork = limiter(`${name} by network`, perNetwork, minutes)
  const byStrangers = limiter(`${name} by strangers`, strange, 60)
  const keysOf = ({ email, client, passwordHash }: Attempt) => {
    const account = `${email.toLowerCase()} ${passwordHash?.slice(-20) ?? ''}`
    return { account, pair: `${account} ${networkOf(client.address)}` }
  }
  return {
    /** Counts an attempt, or refuses it with 429. */
    take: async (attempt: Attempt): Promise<void> => {
      const { account, pair } = keysOf(attempt)
      await byNetwork.take(pair)
      if (!attempt.isKnownNetwork) await byStrangers.take(account)
    },
    /** Forgets what this network tried before it was right. */
    succeeded: async (attempt: Attempt): Promise<void> => {
      const { account, pair } = keysOf(attempt)
      await byNetwork.forget(pair)
      if (!attempt.isKnownNetwork) await byStrangers.giveBack(account)
    },
  }
}
