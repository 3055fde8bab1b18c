import type { Kind } from '@mokuroku/contract/kinds'
import type { Links } from '#parts/jsonEditor/idNames.ts'

/** What the history needs to know of a kind. */
export interface Revised {
  kind: Kind
  /** Fields that hold ids, and what they refer to. */
  links?: Links | undefined
  /** Text fields in a language of their own, shown as word diffs. */
  written?: readonly string[] | undefined
  /** Fields that are one value together, with a label of its own: they can only be restored together. */
  together?: { field: string; fields: readonly string[] } | undefined
}

export interface HistoryProps {
  revised: Revised
  id: string
  /** Why the signed-in user may not edit the entity, and therefore not restore values. */
  refusal?: string | undefined
}
