import type { ActivityType } from '@mokuroku/contract/dashboard'
import type { Document } from '@mokuroku/contract/merge'
import type { Hit } from '@mokuroku/contract/search'
import type { TrashRow } from '@mokuroku/contract/trash'
import type * as z from 'zod/mini'
import type { Transaction } from '#database/db.ts'
import type { Actor, Verdict } from '#access/permissions.ts'
import type { Assist } from './provenance.ts'
import type { Reauthentication } from '#access/reauthentication.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import type { Meta, Origin, Tables } from '#database/tables.ts'

/** A text by which an entity can be found; `language` is '' for the original title and aliases. */
export interface Label {
  language: string
  text: string
  /** How it is read was given, and need not be derived. */
  isRead?: boolean
}

/** A hit of a search as the contract shows it, but for what matched. */
export type Found = Omit<Hit, 'match'>

/**
 * What the ledger and everything built on it know of a kind: its area hands it to `ledger`, which registers it. `Fields`
 * is what a person edits: it is compared, merged and kept.
 */
export interface EntityDefinition<Fields extends Document> {
  kind: Kind
  /** The names of the fields: those of the contract's input. */
  fields: string[]
  /** What a new one has where its input says nothing. */
  empty: Partial<Fields>
  /** The fields that hold ids (one, or a list) of other entities. */
  links?: { [Field in keyof Fields]?: Kind }
  /** The links that no answer shows while what they lead to is in the trash. */
  hidden?: readonly (keyof Fields & string)[]
  /** The links that are one relation with a list of the other entity: each side is written when the other is. */
  mirrors?: { [Field in keyof Fields]?: Mirror }
  /** Fields that say one thing together: a revision restores all of them or none. */
  together?: readonly string[]
  /** The name that people know it by. */
  title: (fields: Fields) => string
  /** The texts that search finds it by; none for what is not searched. */
  labels?: (fields: Fields) => Label[]
  /** Reads hits of a search, in the order of their ids; those in the trash are left out. */
  hits?: (ids: string[]) => Promise<Found[]>
  /** Which of its labels may find it for this person; all of them where it is left out. */
  findableBy?: (actor: Actor) => (label: Pick<Label, 'language'>) => boolean
  /** The query of its list: what a saved view of it may hold. */
  listQuery?: z.ZodMiniObject
  /** What the trash says of some of them beside their titles. */
  inTrash?: (rows: Row<Fields>[]) => Promise<Partial<TrashName>[]> | Partial<TrashName>[]
  /** Refuses, before anything is written, what a schema cannot see. `before` and `after` as for `derive`. */
  check?: (tx: Transaction, id: string, before: Fields | undefined, after: Fields | undefined, by: By) => Promise<void>
  /** Whether who makes this change must have entered the password lately; `paths` are what it changes. */
  reauthentication?: (
    change: Pick<Change<Fields>, 'before' | 'after' | 'by' | 'paths'> & { id: string },
  ) => Reauthentication | undefined
  /** Writes derived data of its own, in the same transaction. `before` is absent on create and restore, `after` on delete. */
  derive?: (tx: Transaction, id: string, before: Fields | undefined, after: Fields | undefined) => Promise<void>
  /** Called after a revision was restored, once it is committed. */
  restored?: (id: string) => Promise<void>
  /** Up to `limit` of its dependents: what is purged with it. */
  dependents?: (tx: Transaction, id: string, limit: number) => Promise<{ kind: Kind; _id: string }[]>
  /** Gives the dependents of another to an entity, which becomes one with it; `limit` of them at most. */
  adopt?: (tx: Transaction, id: string, from: string, by: By, limit: number) => Promise<void>
  /** What an entity is to be that becomes one with another, where that is more than a matter of fields. */
  settle?: (tx: Transaction, fields: Fields, one: Pair<Fields>) => Promise<Fields>
  /** Deletes what else belongs to it when it is purged, in the same transaction. */
  forget?: (tx: Transaction, id: string) => Promise<void>
  /** What an activity names and leads to, where that is another entity. */
  about?: (tx: Transaction, fields: Fields) => Promise<{ entityType: Kind; entityId: string; title: string }>
  /** The activity that a write shows as, where it is not KIND_ACTIONED. Undefined: none. */
  activity?: (action: Action, paths: string[]) => ActivityType | undefined
}

/** Two entities that become one: the one that stays, and the one that goes. */
interface Pair<Fields> {
  id: string
  fields: Fields
  from: { id: string; fields: Fields }
}

type TrashName = Pick<TrashRow, 'title' | 'translations' | 'score' | 'size'>

/** `asks`: writing it from this side needs the right to edit the other. */
export interface Mirror {
  kind: Kind
  field: string
  asks?: boolean
}

/** Who writes, and from where; `batch` groups writes that belong together. `at` dates imported writes. */
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
  /** Whoever writes this writes the other side of every relation, too. */
  isMirrored?: boolean
  /**
   * The input was made from what calls and files show, which leaves out links to what is in the trash: they stay, but
   * for those of `dropped`.
   */
  asShown?: { dropped: string[] }
  /** What was merged comes back with this. */
  unmerges?: boolean
  /** It is deleted with what it depends on. */
  dependent?: boolean
}

export type Action = Tables['revisions']['action']
export type Row<Fields> = Meta & Fields
export type Input<Fields> = { [Field in keyof Fields]?: Fields[Field] | null | undefined }

/** An entity to create. `apart` are columns that no revision may hold. */
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
