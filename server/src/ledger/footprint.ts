import type { Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import type { Meta } from '#database/tables.ts'
import type { EntityDefinition, Label, Row } from './definition.ts'
import { idsIn, linkFields } from './fields.ts'
import { fieldsOf } from './rows.ts'
import { labelsOf } from './texts.ts'

/** What an entity should have written to other tables, derived from its row alone. */
export interface Footprint {
  /** The content of its newest revision. */
  snapshot: Document
  /** Empty for an entity in the trash. */
  links: { field: string; toKind: Kind; toId: string }[]
  labels: Label[]
}

export function footprintOf(definition: EntityDefinition<Document>, row: Meta): Footprint {
  const fields = fieldsOf(definition, row as Row<Document>)
  if (row.deletedAt !== null) return { snapshot: fields, links: [], labels: [] }
  const links = linkFields(definition).flatMap(([field, toKind]) =>
    [...new Set(idsIn(fields, field))].map((toId) => ({ field, toKind, toId })),
  )
  return { snapshot: fields, links, labels: labelsOf(definition, fields) }
}
