import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { type Action, type Kind, lacks } from '#lib/may.ts'

/** Why the signed-in user may not do something, in words for a button's `reason`; undefined when they may. */
export function useRefusal() {
  const me = useMe()
  const { refused } = useMessages()
  return (action: Action, kind: Kind, owner?: string) => {
    const missing = lacks(me, action, kind, owner)
    return missing && refused[missing](me.tier)
  }
}
