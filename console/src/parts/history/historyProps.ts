import type { Kind } from '@mokuroku/contract/kinds'

export interface HistoryProps {
  kind: Kind
  id: string
  /** Why the signed-in user may not change it, and so not restore what it held. */
  refusal?: string | undefined
}
