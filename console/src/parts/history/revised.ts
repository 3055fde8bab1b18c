import type { Kind } from '@mokuroku/contract/kinds'
import type { Links } from '#parts/jsonEditor/idNames.ts'

/** What the history of a thing asks of its kind. */
export interface Revised {
  kind: Kind
  /** The fields that hold ids, and of what. */
  links?: Links | undefined
  /** The fields that hold what a person has written in a language of their own, and that are compared by words. */
  written?: readonly string[] | undefined
  /** Fields that say one thing together, under a name of its own: none of them alone can be put back. */
  together?: { field: string; of: readonly string[] } | undefined
}

export interface HistoryProps {
  of: Revised
  id: string
  /** Why the signed-in user may not change it, and so not restore what it held. */
  refusal?: string | undefined
}
