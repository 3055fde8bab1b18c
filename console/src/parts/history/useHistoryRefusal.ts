import { kindOf, type Kind } from '@mokuroku/contract/kinds'
import { useMe } from '#api/session.ts'
import { historyTexts } from './texts.ts'

/** Why the signed-in user may not read the history of a kind; undefined if they may. */
export function useHistoryRefusal(kind: Kind): string | undefined {
  const { refused } = historyTexts.use()
  const { role } = useMe()
  const { historyFor } = kindOf(kind)
  return historyFor === undefined || role === 'admin' || role === historyFor ? undefined : refused[historyFor]
}
