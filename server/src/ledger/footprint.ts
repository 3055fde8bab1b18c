import type { Document } from '@mokuroku/contract/merge'
import { idsIn } from './fields.ts'
import type { Keeping, Label } from './definition.ts'
import { linkFields } from './links.ts'
import type { Kind } from '#database/tables.ts'

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

/** The texts that an entity is found by. */
export const searchedBy = <Fields extends Document>({ labels }: Keeping<Fields>, fields: Fields): Label[] =>
  labels ? labels(fields).filter(({ text }) => text.trim()) : []

export function tracesOf<Fields extends Document>(
  keeping: Keeping<Fields>,
  fields: Fields,
  isTrashed: boolean,
): Traces {
  const { fields: names, empty } = keeping
  const targets = isTrashed ? [] : linkFields(keeping)
  return {
    names,
    snapshot: fields,
    empty,
    links: targets.flatMap(([field, toKind]) =>
      [...new Set(idsIn(fields, field))].map((toId) => ({ field, toKind, toId })),
    ),
    labels: isTrashed ? [] : searchedBy(keeping, fields),
  }
}
