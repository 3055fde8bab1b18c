import type { Me } from '@mokuroku/contract/auth'
import type { Translated } from '@mokuroku/contract/kinds'
import { useMe } from '#api/session.ts'
import { messages, useMessages } from '#i18n/messages.ts'
import { type Action, missingCapability } from '#lib/may.ts'

/** Why a user may not do something, for a button's `reason`; undefined if they may. */
export function refusalOf(me: Me, action: Action, kind: Translated, owner?: string) {
  const missing = missingCapability(me, action, kind, owner)
  return missing && messages().refused[missing](me.tier)
}

/** As `refusalOf`, for the signed-in user. */
export function useRefusal() {
  const me = useMe()
  // Re-renders when the language changes.
  useMessages()
  return (action: Action, kind: Translated, owner?: string) => refusalOf(me, action, kind, owner)
}
