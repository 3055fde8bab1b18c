import type { Document } from '@mokuroku/contract/merge'
import { idsIn } from './fields.ts'
import type { Keeping, Label } from './keeping.ts'
import type { Kind } from './tables.ts'

/** What an entity should have left elsewhere, told from its row alone. */
export interface Traces {
  /** The names of what a person edits. */
  names: string[]
  /** What its newest revision holds of these. */
  snapshot: Document
  /** What its fields are where nobody has said anything: older revisions do not name newer fields. */
  empty: Document
  /** None for what is in the trash. */
  links: { field: string; toKind: Kind; toId: string }[]
  labels: Label[]
}

export function tracesOf<Fields extends Document>(
  { fields: names, links, labels, empty }: Keeping<Fields>,
  fields: Fields,
  isTrashed: boolean,
): Traces {
  const targets = isTrashed ? [] : (Object.entries(links ?? {}) as [string, Kind][])
  return {
    names,
    snapshot: fields,
    empty,
    links: targets.flatMap(([field, toKind]) =>
      [...new Set(idsIn(fields, field))].map((toId) => ({ field, toKind, toId })),
    ),
    labels: isTrashed || !labels ? [] : labels(fields).filter(({ text }) => text.trim()),
  }
}
