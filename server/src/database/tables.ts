import type { AuditEntry } from '@mokuroku/contract/audit'
import type { BatchKind, BatchOutcome, JobState } from '@mokuroku/contract/batches'
import type { FieldError } from '@mokuroku/contract/call'
import { CharacterInput } from '@mokuroku/contract/characters'
import type { AssetType, AssetStatus } from '@mokuroku/contract/assets'
import type { ActivityType } from '@mokuroku/contract/dashboard'
import type { EMPTY_CELLS, ImportMapping, ImportOutcome, ImportState, ImportType } from '@mokuroku/contract/imports'
import type { FindingCode } from '@mokuroku/contract/findings'
import { MediaInput } from '@mokuroku/contract/media'
import type { NewNotification } from '@mokuroku/contract/notifications'
import { type Kind, KINDS, kinds, type Translated } from '@mokuroku/contract/kinds'
import { SettingFields } from '@mokuroku/contract/settings'
import { TagInput } from '@mokuroku/contract/tags'
import { TierInput } from '@mokuroku/contract/tiers'
import { UserInput } from '@mokuroku/contract/users'
import type { EditorView, Preferences } from '@mokuroku/contract/preferences'
import type { ViewInput } from '@mokuroku/contract/views'
import type { AiRun, Provenance } from '@mokuroku/contract/provenance'
import type { GeneratedAlways } from 'kysely'
import type * as z from 'zod/mini'

type ClearableKeys<Input> = {
  [Key in keyof Input]-?: [null, undefined] extends [Extract<Input[Key], null>, Extract<Input[Key], undefined>]
    ? Key
    : never
}[keyof Input]

/** What a person edits: the input with nothing left out. A clearable field that is empty is absent. */
type Whole<Input> = { [Key in Exclude<keyof Input, ClearableKeys<Input>>]-?: Exclude<Input[Key], undefined> } & {
  [Key in ClearableKeys<Input>]?: Exclude<Input[Key], null>
}

/** What a person edits of a kind, by the table that holds it: the contract says what its columns are. */
export const INPUTS = {
  media: MediaInput,
  characters: CharacterInput,
  tags: TagInput,
  tiers: TierInput,
  users: UserInput,
  settings: SettingFields,
}
type FieldsOf<Table extends keyof typeof INPUTS> = Whole<z.output<(typeof INPUTS)[Table]>>
export type MediaFields = FieldsOf<'media'>
export type CharacterFields = FieldsOf<'characters'>
export type TagFields = TagInput
export type UserFields = Omit<FieldsOf<'users'>, 'password'>

/** Fields that an answer of AI held: of the entity with this id, or of any. */
export interface Answered {
  id?: string | undefined
  fields: Record<string, unknown>
}

/** What the ledger keeps about every entity. */
export interface Meta {
  _id: string
  version: number
  createdBy: string | null
  createdAt: string
  updatedAt: string
  deletedAt: string | null
}

export interface AssetFields {
  type: AssetType
  filename: string
  mimeType: string
  /** Bytes, as they were sent. */
  size: number
  isPublic: boolean
  /** SHA-256 of what was sent, in hex. */
  contentHash: string
  storageKey: string
}

/** What is found out about the file of an asset: no edit, and so no revision. */
export interface AssetFindings {
  dimensions?: { width: number; height: number }
  duration?: number
  status: AssetStatus
  failure?: string
  keepsMetadata?: boolean
  /** How often processing was begun since the file was stored. */
  attempts?: number
}

export interface RatingFields {
  userId: string
  mediaId: string
  score: number
  comment: string
}

/** What tells one finding from another. */
export interface FindingKey {
  entityId: string
  code: FindingCode
  language: string
  field: string
}

export interface Tables {
  users: Meta & UserFields & { passwordHash: string; lastLogin: string | null }
  sessions: {
    _id: string
    userId: string
    createdAt: string
    expiresAt: string
    endedAt: string | null
    lastSeen: string
    address: string
    userAgent: string
    confirmedAt?: string | null
    /** Where the log of PostgreSQL ended after its last write, where replicas are read from. */
    position?: string | null
  }
  /** The names that accounts have and had lately, as they look. */
  usernames: { key: string; userId: string; createdAt: string }
  /** Links by which a password may be set anew. */
  resets: { tokenHash: string; userId: string; email: string; createdAt: string; expiresAt: string }
  tiers: Meta & Required<TierInput>
  /** One row. `apiKey` is sealed (access/seal.ts); '' for none. */
  settings: Meta & SettingFields & { apiKey: string }
  media: Meta &
    MediaFields & { averageRating: number; ratingCount: number; ratingSum: number; ratingHistogram: number[] }
  characters: Meta & FieldsOf<'characters'>
  tags: Meta & TagFields & { usageCount: number; mediaCount: number; characterCount: number }
  assets: Meta & AssetFields & AssetFindings
  uploads: {
    _id: string
    userId: string
    filename: string
    size: number
    isPublic: boolean
    createdAt: string
    expiresAt: string
    assetId: string | null
    /** Null where it was begun without a session. */
    sessionId: string | null
  }
  /** What has arrived of an upload, where files are in a bucket; `key` is that of the object. */
  uploadParts: { uploadId: string; offset: number; size: number; key: string }
  slots: { _id: string; name: string; instanceId: string }
  uploadCounts: { userId: string; day: string; files: number }
  writeCounts: { userId: string; day: string; units: number }
  ratings: Meta & RatingFields
  links: { fromKind: Kind; fromId: string; field: string; toKind: Kind; toId: string }
  revisions: {
    _id: string
    entityType: Kind
    entityId: string
    version: number
    action: 'create' | 'update' | 'delete' | 'restore' | 'purge'
    origin: Origin
    batch: string | null
    reason: string | null
    userId: string | null
    username: string
    paths: string[]
    provenance?: Provenance[] | undefined
    /** Absent where `delta` says what differs from the version before (ledger/snapshots.ts). */
    snapshot: Record<string, unknown>
    delta?: object | null
    createdAt: string
  }
  history: {
    _id: string
    revisionId: string
    entityType: Kind
    entityId: string
    language: string
    field: string
    oldValue: string
    newValue: string
    updatedById: string | null
    updatedBy: string
    isRolledBack: boolean
    rolledBackBy: string | null
    rollbackReason: string | null
    rolledBackAt: string | null
    createdAt: string
  }
  activities: {
    _id: string
    type: ActivityType
    description: string
    username: string
    userId: string | null
    entityType: string
    entityId: string
    title: string
    createdAt: string
  }
  removals: { key: string }
  /** The servers that use the database; none where it is embedded. */
  instances: {
    _id: string
    /** Stands for the data folder, on its host. */
    place: string
    host: string
    version: string
    /** The newest migration that it knows. */
    schema: string
    /** Stands for the key that signs tokens. */
    secret: string
    storage: string
    startedAt: string
    seenAt: string
    /** 0 or 1. */
    readsReplicas: number
  }
  aiRuns: AiRun & { userId: string; call: string; outcome: string; answers: Answered[] }
  notifications: {
    userId: string
    seq: number
    _id: string
    kind: NewNotification['kind']
    data: NewNotification['data']
    readAt: string | null
    createdAt: string
  }
  inboxes: { userId: string; seq: number; marks: number }
  /** Of entities that are not in the trash; '' stands for no language and no field. */
  findings: FindingKey & { entityType: Kind; since: string }
  /** What entities are likely the same as others by; none of what is in the trash, or was called no problem. */
  titleKeys: { key: string; day: number; entityId: string; entityType: Translated }
  /** Two that are likely the same, by their ids; the lesser is the first. */
  duplicatePairs: { entityType: Translated; first: string; second: string }
  /** What an entity became a part of; `batch` takes it back. */
  merges: { fromId: string; toId: string; entityType: Translated; batch: string; createdAt: string }
  /** Findings that are no problem for the text with this SHA-256. */
  dismissals: FindingKey & {
    entityType: Kind
    textHash: string
    userId: string
    username: string
    createdAt: string
  }
  /** One row: how far the rebuild of the findings is, by the rules that it began with. */
  findingsProgress: {
    _id: string
    rules: string
    kind: string
    cursor: string
    done: number
    total: number
    isComplete: boolean
  }
  /** One row a user; none while nothing was chosen. */
  preferences: { userId: string; columns: Preferences['columns']; editor: EditorView | null }
  /** What people say about entities; `mentions` are ids of users. */
  comments: {
    _id: string
    entityType: Translated
    entityId: string
    text: string
    mentions: string[]
    createdBy: string
    createdAt: string
    editedAt: string | null
    resolvedAt: string | null
    resolvedBy: string | null
  }
  views: ViewInput & Omit<Meta, 'deletedAt' | 'createdBy'> & { createdBy: string }
  /** What is counted against limits, by all servers (server/src/access/limiter.ts). */
  limits: { key: string; points: number; endsAt: string }
  /** Who has an entity open in an editor, one row for each stream that says so; `server` refreshes it. */
  presence: { _id: string; entityType: Kind; entityId: string; userId: string; server: string; expiresAt: string }
  /** Which entity of a queue a user works on (server/src/work), until when. */
  reservations: { entityId: string; entityType: Kind; userId: string; until: string }
  /** Added to, and deleted from its beginning by age (server/src/audit). '' stands for what there is none of. */
  audit: AuditEntry
  /** One row: the end of the audit log, and the last entry that is not kept any more (0 while all are). */
  auditHead: { _id: string; seq: number; hash: string; createdAt: string; deletedSeq: number; deletedHash: string }
  counters: { name: string; value: number }
  /** What was added to counters since they were last summed (server/src/ledger/counters.ts). */
  counterShards: { name: string; shard: number; value: number }
  /** Counters as they were at the end of a day (UTC). The name '' stands for the day itself. */
  counterDays: { name: string; day: string; value: number }
  /** Assets that are not in the trash, and that nothing uses or whose file could not be processed. */
  assetFlags: { flag: 'unused' | 'failed'; assetId: string; size: number }
  /** Background work (server/src/jobs). */
  jobs: {
    _id: string
    kind: string
    lane: string | null
    payload: Record<string, unknown>
    state: JobState
    dueAt: string
    attempts: number
    claim: string | null
    leaseUntil: string | null
    total: number
    done: number
    error: string | null
    createdAt: string
    startedAt: string | null
    finishedAt: string | null
    /** What enqueued it, where that is traced. */
    traceparent: string | null
  }
  /** What a user does to many entities at once (server/src/batches). */
  batches: {
    _id: string
    what: BatchKind
    entityType: Kind | null
    change: Record<string, unknown> | null
    /** The batch that this one takes back. */
    rollsBack: string | null
    reason: string | null
    changed: number
    unchanged: number
    refused: number
    userId: string
    username: string
    createdAt: string
  }
  batchRows: {
    batch: string
    seq: number
    entityType: Kind
    entityId: string
    /** '' until its turn. */
    outcome: BatchOutcome | ''
    code: string | null
    message: string | null
    /** The paths that a rollback left as others have changed them since. */
    kept: string[] | null
  }
  /** Files of entities (server/src/imports). `state` is that until it is applied; then its batch says. */
  imports: {
    _id: string
    entityType: ImportType
    filename: string
    size: number
    state: ImportState
    columns: { header: string; samples: string[] }[]
    mapping: ImportMapping
    emptyCells: (typeof EMPTY_CELLS)[number]
    /** Its cells may begin with an apostrophe that makes them texts. */
    isGuarded: boolean
    total: number
    new: number
    changed: number
    unchanged: number
    refused: number
    duplicates: number
    reason: string | null
    job: string | null
    batch: string | null
    userId: string
    username: string
    createdAt: string
    expiresAt: string
  }
  importParts: { import: string; seq: number; data: string }
  importRows: { import: string; seq: number; line: number; cells: string[]; fault: string | null }
  importPlans: {
    import: string
    seq: number
    outcome: ImportOutcome
    /** The kind of what is changed; null where it is that of the import. */
    entityType: Translated | null
    /** What is changed, or is to be created under this id. */
    entityId: string | null
    /** What it is likely the same as. */
    matchId: string | null
    matchLine: number | null
    /** Of what is changed, as it was checked. */
    version: number | null
    input: Record<string, unknown> | null
    changes: { path: string; from: string; to: string }[]
    reason: string | null
    /** What is wrong with its cells. */
    errors: FieldError[] | null
  }
  importKeys: { import: string; key: string; day: number; line: number }
  importMappings: { userId: string; entityType: ImportType; mapping: ImportMapping }
  labels: { id: GeneratedAlways<number>; kind: Kind; entityId: string; language: string; text: string; compact: string }
}

/** Where a write came from. */
export type Origin = 'person' | 'import' | 'ai' | 'rollback' | 'system'

/** The table of each kind. */
export const TABLES = Object.fromEntries(KINDS.map((kind) => [kind, kinds[kind].plural])) as {
  [Each in Kind]: (typeof kinds)[Each]['plural']
}
