import type { ActivityType } from '@mokuroku/contract/dashboard'
import type { Document } from '@mokuroku/contract/merge'
import type { Transaction } from '#database/db.ts'
import type { Actor, Verdict } from '#access/permissions.ts'
import type { Assist } from './provenance.ts'
import type { Reauthentication } from '#access/reauthentication.ts'
import type { Kind, Meta, Origin, Tables } from '#database/tables.ts'

/** A text by which an entity can be found; `language` is '' for the original title. */
export interface Label {
  language: string
  text: string
}

/** What the ledger must know of an entity to keep it. `Fields` is what a person edits: it is compared, merged, kept. */
export interface Keeping<Fields extends Document> {
  kind: Kind
  /** The names of the fields: those of the contract's input. */
  fields: string[]
  /** What a new one has where its input says nothing. */
  empty: Partial<Fields>
  /** The fields that hold ids (one, or a list) of other entities. */
  links?: { [Field in keyof Fields]?: Kind }
  /** The links that are one relation with a list of the other entity: each side is written when the other is. */
  mirrors?: { [Field in keyof Fields]?: Mirror }
  /** The name that people know it by. */
  title: (fields: Fields) => string
  /** The texts that search finds it by; none for what is not searched. */
  labels?: (fields: Fields) => Label[]
  /** Refuses, before anything is written, what a schema cannot see. `before` and `after` as for `derive`. */
  check?: (tx: Transaction, id: string, before: Fields | undefined, after: Fields | undefined, by: By) => Promise<void>
  /** Whether who makes this change must have entered the password lately; `paths` are what it changes. */
  reauthentication?: (
    change: Pick<Change<Fields>, 'before' | 'after' | 'by' | 'paths'> & { id: string },
  ) => Reauthentication | undefined
  /** Derived data of its own, in the same transaction. `before` is absent on create and restore, `after` on delete. */
  derive?: (tx: Transaction, id: string, before: Fields | undefined, after: Fields | undefined) => Promise<void>
  /** What is nothing without it, and is deleted for good with it: so many of them. */
  dependents?: (tx: Transaction, id: string, limit: number) => Promise<{ kind: Kind; _id: string }[]>
  /** What else goes when it is deleted for good, in the same transaction. */
  forget?: (tx: Transaction, id: string) => Promise<void>
  /** What an activity names and leads to, where that is another entity. */
  about?: (tx: Transaction, fields: Fields) => Promise<{ entityType: Kind; entityId: string; title: string }>
  /** The activity that a write shows as, where it is not KIND_ACTIONED. Undefined: none. */
  activity?: (action: Action, paths: string[]) => ActivityType | undefined
}

/** `asks`: writing it from this side needs the right to edit the other. */
export interface Mirror {
  kind: Kind
  field: string
  asks?: boolean
}

/** Who writes, from where; `batch` groups writes that belong together. `at` dates imported writes. */
export interface By {
  actor: Actor
  origin?: Origin
  batch?: string
  reason?: string
  /** The answers of AI that it may hold parts of. */
  assists?: Assist[]
  at?: string
  id?: string
  /** The decision, where it does not hang on who owns the entity: a rollback, one's own profile. */
  verdict?: Verdict
  /** The password was verified in this very call. */
  reauthenticated?: boolean
  /** Too much of the same to be an activity each: a bulk import. */
  quiet?: boolean
  /** It goes because something goes that it is nothing without. */
  dependent?: boolean
}

export type Action = Tables['revisions']['action']
export type Row<Fields> = Meta & Fields
export type Input<Fields> = { [Field in keyof Fields]?: Fields[Field] | null | undefined }

/** An entity that is to be created. `apart` are columns that no revision may hold. */
export interface New<Fields> {
  id: string
  input: Input<Fields>
  by: By
  apart?: Document | undefined
}

/** What one write did. `before` is absent on create and restore, `after` on delete. */
export interface Change<Fields> {
  action: Action
  meta: Meta
  before: Fields | undefined
  after: Fields | undefined
  by: By
  paths: string[]
}
