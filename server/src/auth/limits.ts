import ipaddr from 'ipaddr.js'
import type { Client } from '#access/client.ts'
import { type Limiter, limiter } from '#access/limiter.ts'
import type { Tables } from '#database/tables.ts'
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
  /** Whether the account has signed in from this network before. */
  isKnownNetwork: boolean
}

/** Describes an attempt for the limiter, from the typed email and its account, if any. */
export async function attemptOf(email: string, user: Tables['users'] | undefined, client: Client): Promise<Attempt> {
  // Also queried if there is no account, so that it takes just as long.
  const known = await sessions.addressesOf(user?._id ?? '')
  const isKnownNetwork = known.some((address) => networkOf(address) === networkOf(client.address))
  return { email, client, passwordHash: user?.passwordHash, isKnownNetwork }
}

interface Budgets {
  /** Attempts from one network, in `minutes`. */
  perNetwork: number
  /** Attempts from all networks together that the account has not signed in from before, in an hour. */
  perAccount: number
  minutes: number
}

/**
 * Limits attempts by account and network together, so that nobody can lock out a user on another network. In addition,
 * limits those from unknown networks by account; networks where the account has signed in before are exempt. Attempts
 * count against the current password: setting a new one, by a link or as an administrator, resets them.
 */
export function accountLimiter(name: string, { perNetwork, perAccount, minutes }: Budgets) {
  const byNetwork = limiter(`${name} by network`, perNetwork, minutes)
  const byAccount = limiter(`${name} by strangers`, perAccount, 60)
  const keysOf = ({ email, client, passwordHash }: Attempt) => {
    const account = `${email.toLowerCase()} ${passwordHash?.slice(-20) ?? ''}`
    return { account, pair: `${account} ${networkOf(client.address)}` }
  }
  return {
    /** Counts an attempt; throws 429 when the limit is reached. */
    take: async (attempt: Attempt): Promise<void> => {
      const { account, pair } = keysOf(attempt)
      await byNetwork.take(pair)
      if (!attempt.isKnownNetwork) await byAccount.take(account)
    },
    /** Resets the count of this network after a success. */
    succeeded: async (attempt: Attempt): Promise<void> => {
      const { account, pair } = keysOf(attempt)
      await byNetwork.forget(pair)
      if (!attempt.isKnownNetwork) await byAccount.giveBack(account)
    },
  }
}
