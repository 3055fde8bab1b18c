import type { Me } from '@mokuroku/contract/auth'
import { useMe } from '#api/session.ts'
import { messages, useMessages } from '#i18n/messages.ts'
import { type Action, type Kind, lacks } from '#lib/may.ts'

/** Why a user may not do something, in words for a button's `reason`; undefined when they may. */
export function refusalOf(me: Me, action: Action, kind: Kind, owner?: string) {
  const missing = lacks(me, action, kind, owner)
  return missing && messages().refused[missing](me.tier)
}

/** The same for the signed-in user. */
export function useRefusal() {
  const me = useMe()
  // The sentences follow the language.
  useMessages()
  return (action: Action, kind: Kind, owner?: string) => refusalOf(me, action, kind, owner)
}
