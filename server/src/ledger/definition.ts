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
  /** Its readings are given and need not be derived. */
  isRead?: boolean
}

/** A search hit as in the contract, without what matched. */
export type Found = Omit<Hit, 'match'>

/**
 * What the ledger and everything built on it know of a kind. Its store passes it to `ledger`, which registers it.
 * `Fields` is what a person edits: it is compared, merged and kept in revisions.
 */
export interface EntityDefinition<Fields extends Document> {
  kind: Kind
  /** The names of the fields: those of the contract's input. */
  fields: string[]
  /** The values of a new entity for fields that its input leaves out. */
  empty: Partial<Fields>
  /** The fields that hold ids of other entities (one, or a list), with their kinds. */
  links?: { [Field in keyof Fields]?: Kind }
  /** The links that no response shows while their targets are in the trash. */
  hidden?: readonly (keyof Fields & string)[]
  /** The links that form one relation with a list of the other entity: writing one side also writes the other. */
  mirrors?: { [Field in keyof Fields]?: Mirror }
  /** Fields that belong together: a revision restores all of them or none. */
  together?: readonly string[]
  /** The name that people know it by. */
  title: (fields: Fields) => string
  /** The texts that search finds it by; left out for kinds that are not searched. */
  labels?: (fields: Fields) => Label[]
  /** Reads search hits, in the order of their ids; those in the trash are left out. */
  hits?: (ids: string[]) => Promise<Found[]>
  /** The language of the labels that this person may find it by; undefined, or left out, for all of them. */
  findableBy?: (actor: Actor) => string | undefined
  /** The query schema of its list, which also says what a saved view may hold. */
  listQuery?: z.ZodMiniObject
  /** What the trash shows of these rows besides their titles. */
  inTrash?: (rows: Row<Fields>[]) => Promise<Partial<TrashName>[]> | Partial<TrashName>[]
  /**
   * Rejects, before anything is written, what a schema cannot check. `before` and `after` are as for `derive`; `trashed`
   * is what a restore takes out of the trash.
   */
  check?: (
    tx: Transaction,
    id: string,
    before: Fields | undefined,
    after: Fields | undefined,
    context: WriteContext,
    trashed?: Fields,
  ) => Promise<void>
  /** Whether this change needs a recent password entry; `paths` are the changed paths. */
  reauthentication?: (
    change: Pick<Change<Fields>, 'before' | 'after' | 'context' | 'paths'> & { id: string },
  ) => Reauthentication | undefined
  /**
   * Writes its own derived data, in the same transaction. `before` is absent on create and restore, `after` on delete.
   */
  derive?: (tx: Transaction, id: string, before: Fields | undefined, after: Fields | undefined) => Promise<void>
  /** Called after the commit that restored a revision. */
  restored?: (id: string) => Promise<void>
  /** Up to `limit` of its dependents, which are purged with it. */
  dependents?: (tx: Transaction, id: string, limit: number) => Promise<{ kind: Kind; _id: string }[]>
  /** Merging: moves the dependents of `from` to the entity that it is merged into, at most `limit` of them. */
  adopt?: (tx: Transaction, id: string, from: string, context: WriteContext, limit: number) => Promise<void>
  /** Merging: adjusts the merged fields, if that takes more than comparing them. */
  settle?: (tx: Transaction, fields: Fields, one: Pair<Fields>) => Promise<Fields>
  /** Deletes its other data when it is purged, in the same transaction. */
  forget?: (tx: Transaction, id: string) => Promise<void>
  /** The entity that an activity names and links to, if it is another one. */
  about?: (tx: Transaction, fields: Fields) => Promise<{ entityType: Kind; entityId: string; title: string }>
  /** The activity type of a write, if it is not KIND_ACTIONED; undefined for no activity. */
  activity?: (action: Action, paths: string[]) => ActivityType | undefined
}

/** Two entities to merge: the one that stays, and the one that goes. */
interface Pair<Fields> {
  id: string
  fields: Fields
  from: { id: string; fields: Fields }
}

type TrashName = Pick<TrashRow, 'title' | 'translations' | 'score' | 'size'>

/** `requiresEdit`: writing it from this side needs permission to edit the other entity. */
export interface Mirror {
  kind: Kind
  field: string
  requiresEdit?: boolean
}

/** Who writes, and why. `batch` groups writes that belong together; `at` dates imported writes. */
export interface WriteContext {
  actor: Actor
  origin?: Origin
  batch?: string
  reason?: string
  /** AI runs whose answers the write may contain parts of. */
  assists?: Assist[]
  at?: string
  id?: string
  /** Names the request that creates it, if it has an Idempotency-Key. */
  key?: string | undefined
  /**
   * The permission decision, if it does not depend on the owner of the entity: for a rollback, or one's own profile.
   */
  verdict?: Verdict
  /** The password was verified in this same call. */
  reauthenticated?: boolean
  /** Records no activity: for bulk imports and other mass writes. */
  quiet?: boolean
  /** The caller writes the other side of every relation, too. */
  isMirrored?: boolean
  /**
   * The input was made from what calls and files show, which omits links into the trash. These links are kept, except
   * those in `dropped`.
   */
  asShown?: { dropped: string[] }
  /** The version that is restored, or the entity that is merged into this one: its links may lead into the trash. */
  inherits?: Document
  /** The merged entity whose merge is being undone: it may be restored, and links may lead to it again. */
  unmerges?: string
  /** It is deleted together with the entity that it depends on. */
  dependent?: boolean
}

export type Action = Tables['revisions']['action']
export type Row<Fields> = Meta & Fields
export type Input<Fields> = { [Field in keyof Fields]?: Fields[Field] | null | undefined }

/** An entity to create. `apart` are columns that no revision may contain. */
export interface New<Fields> {
  id: string
  input: Input<Fields>
  context: WriteContext
  apart?: Document | undefined
}

/** What one write did. `before` is absent on create and restore, `after` on delete. */
export interface Change<Fields> {
  action: Action
  meta: Meta
  before: Fields | undefined
  after: Fields | undefined
  context: WriteContext
  paths: string[]
}
