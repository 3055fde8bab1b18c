import ipaddr from 'ipaddr.js'
import type { Client } from '#access/client.ts'
import { type Limiter, limiter } from '#access/limiter.ts'
import type { Tables } from '#database/tables.ts'
import { Refusal } from '#lib/errors.ts'
import { sessions } from '#store/auth'

/** A route guard that counts requests by address, before their bodies are read. */
export const limitByAddress =
  (from: Limiter) =>
  ({ client }: { client: Client }): Promise<void> =>
    from.take(networkOf(client.address))

/** The network of an address, for rate limits: the /64 for IPv6, since its owner can use all addresses in it. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const known = ipaddr.process(address)
  return known instanceof ipaddr.IPv6 ? known.parts.slice(0, 4).join(':') : known.toString()
}

/** A sign-in or reset attempt: the email that was typed, where it comes from, and the account if there is one. */
export interface Attempt {
  /** The email address as typed, whether or not it belongs to an account. */
  email: string
  client: Client
  /** The hash of the account's password; undefined where there is no account. */
  passwordHash: string | undefined
  /**
   * Whether the account has signed in from this network before. Looked up only once the account is at its limit: how
   * long it takes depends on the account.
   */
  isKnownNetwork: () => Promise<boolean>
}

/** Describes an attempt for the limiter, from the typed email and its account, if any. */
export function attemptOf(email: string, user: Tables['users'] | undefined, client: Client): Attempt {
  const isKnownNetwork = async () => {
    const network = networkOf(client.address)
    return (await sessions.addressesOf(user?._id ?? '')).some((address) => networkOf(address) === network)
  }
  return { email, client, passwordHash: user?.passwordHash, isKnownNetwork }
}

interface Budgets {
  /** Attempts on one account from one network, in `minutes`. */
  perNetwork: number
  /**
   * Attempts from all networks together, in an hour. Those from networks where the account has signed in before are
   * counted, but not refused.
   */
  perAccount: number
  minutes: number
}

/**
 * Limits attempts by account and network together, so that nobody can lock out a user on another network. In addition,
 * limits all of them by account, but refuses none from a network where the account has signed in before. Attempts count
 * against the current password: setting a new one, by a link or as an administrator, resets them.
 */
export function accountLimiter(name: string, { perNetwork, perAccount, minutes }: Budgets) {
  const byNetwork = limiter(`${name} by network`, perNetwork, minutes)
  const byAccount = limiter(`${name} by strangers`, perAccount, 60)
  const keysOf = ({ email, client, passwordHash }: Attempt) => {
    const account = `${email.toLowerCase()} ${passwordHash?.slice(-20) ?? ''}`
    return { account, pair: `${account} ${networkOf(client.address)}` }
  }
  /** The attempts that the limit by account did not count. */
  const uncounted = new WeakSet<Attempt>()
  return {
    /** Counts an attempt; throws 429 when the limit is reached. */
    take: async (attempt: Attempt): Promise<void> => {
      const { account, pair } = keysOf(attempt)
      await byNetwork.take(pair)
      await byAccount.take(account).catch(async (error: unknown) => {
        if (!(error instanceof Refusal) || !(await attempt.isKnownNetwork())) throw error
        uncounted.add(attempt)
      })
    },
    /** Resets the count of this network after a success. */
    succeeded: async (attempt: Attempt): Promise<void> => {
      const { account, pair } = keysOf(attempt)
      await byNetwork.forget(pair)
      if (!uncounted.has(attempt)) await byAccount.giveBack(account)
    },
  }
}
