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

/** What a person edits: the input with all fields present, but a clearable field is absent when empty. */
type Whole<Input> = { [Key in Exclude<keyof Input, ClearableKeys<Input>>]-?: Exclude<Input[Key], undefined> } & {
  [Key in ClearableKeys<Input>]?: Exclude<Input[Key], null>
}

/** The input schema of a kind, by its table: the contract defines the columns. */
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

/** Fields of an AI answer: of the entity with this id, or of any entity if there is none. */
export interface Answered {
  id?: string | undefined
  fields: Record<string, unknown>
}

/** The columns that the ledger maintains for every entity. */
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
  /** The size of the uploaded file, in bytes. */
  size: number
  isPublic: boolean
  /** SHA-256 of the uploaded file, in hex. */
  contentHash: string
  storageKey: string
}

/** What processing finds out about the file of an asset: not an edit, so there is no revision for it. */
export interface AssetFindings {
  dimensions?: { width: number; height: number }
  duration?: number
  status: AssetStatus
  failure?: string
  keepsMetadata?: boolean
  /** How often processing has started since the file was stored. */
  attempts?: number
}

export interface RatingFields {
  userId: string
  mediaId: string
  score: number
  comment: string
}

/** The key of a finding. */
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
    /** The WAL position after the last write of the session, if replicas are read from. */
    position?: string | null
  }
  /** The current and recent names of accounts, normalized so that names that look alike are equal. */
  usernames: { key: string; userId: string; createdAt: string }
  /** Password reset links. */
  resets: { tokenHash: string; userId: string; email: string; createdAt: string; expiresAt: string }
  tiers: Meta & Required<TierInput>
  /** One row. `apiKey` is encrypted (access/seal.ts); '' for none. */
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
    /** Null if the upload was started without a session. */
    sessionId: string | null
    /** The asset whose file it replaces; null for a new asset. */
    replaces: string | null
    /** The version of it that the sender has seen; null for any. */
    baseVersion: number | null
  }
  /** The received parts of an upload, if files are in a bucket; `key` is that of the object. */
  uploadParts: { uploadId: string; offset: number; size: number; key: string }
  slots: { _id: string; name: string; instanceId: string }
  uploadCounts: { userId: string; day: string; files: number }
  commentCounts: { userId: string; day: string; comments: number }
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
    /** Absent if `delta` holds the difference from the previous version (ledger/snapshots.ts). */
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
  /** The servers that use the database; empty if it is embedded. */
  instances: {
    _id: string
    /** A fingerprint of the data folder and its host. */
    place: string
    host: string
    version: string
    /** The newest migration that it knows. */
    schema: string
    /** A fingerprint of the key that signs tokens. */
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
  /** Findings of entities outside the trash; '' stands for no language and no field. */
  findings: FindingKey & { entityType: Kind; since: string }
  /**
   * The keys by which likely duplicates are found; not of entities in the trash, or of those dismissed as no problem.
   */
  titleKeys: { key: string; day: number; entityId: string; entityType: Translated }
  /** Pairs of likely duplicates, by their ids; the lesser id comes first. */
  duplicatePairs: { entityType: Translated; first: string; second: string }
  /** Which entity was merged into which; rolling back `batch` undoes it. */
  merges: { fromId: string; toId: string; entityType: Translated; batch: string; createdAt: string }
  /** Findings dismissed as no problem, for the text with this SHA-256. */
  dismissals: FindingKey & {
    entityType: Kind
    textHash: string
    userId: string
    username: string
    createdAt: string
  }
  /** One row: the progress of rebuilding the findings, by the rules it started with. */
  findingsProgress: {
    _id: string
    rules: string
    kind: string
    cursor: string
    done: number
    total: number
    isComplete: boolean
  }
  /** One row per user; none until the user has chosen something. */
  preferences: { userId: string; columns: Preferences['columns']; editor: EditorView | null }
  /** Comments on entities; `mentions` are ids of users. */
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
    version: number
  }
  views: ViewInput & Omit<Meta, 'deletedAt' | 'createdBy'> & { createdBy: string }
  /** Rate limits, shared by all servers (server/src/access/limiter.ts). */
  limits: { key: string; points: number; endsAt: string }
  /** Who has an entity open in an editor: one row per event stream, which the server `server` renews. */
  presence: { _id: string; entityType: Kind; entityId: string; userId: string; server: string; expiresAt: string }
  /** The entity of a queue that a user is working on (server/src/work), and until when. */
  reservations: { entityId: string; entityType: Kind; userId: string; until: string }
  /**
   * Append-only, except that the oldest entries are deleted by age (server/src/audit). '' stands for a missing value.
   */
  audit: AuditEntry
  /** One row: the end of the audit log, and the last entry that was deleted (0 while none was). */
  auditHead: { _id: string; seq: number; hash: string; createdAt: string; deletedSeq: number; deletedHash: string }
  /** What each request with an Idempotency-Key has created, by a hash of the request and its user. */
  creations: { key: string; entityId: string; createdAt: string }
  counters: { name: string; value: number }
  /** Amounts added to counters since they were last summed up (server/src/ledger/counters.ts). */
  counterShards: { name: string; shard: number; value: number }
  /** The values of counters at the end of a day (UTC). The name '' marks that the day was recorded. */
  counterDays: { name: string; day: string; value: number }
  /** Assets outside the trash that nothing uses, or whose file could not be processed. */
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
    /** The trace context of the request that enqueued it, if that was traced. */
    traceparent: string | null
  }
  /** Changes that a user makes to many entities at once (server/src/batches). */
  batches: {
    _id: string
    what: BatchKind
    entityType: Kind | null
    change: Record<string, unknown> | null
    /** The batch that this one rolls back. */
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
    /** '' until it has been processed. */
    outcome: BatchOutcome | ''
    code: string | null
    message: string | null
    /** The paths that a rollback did not change, because others have changed them since. */
    kept: string[] | null
  }
  /**
   * Uploaded files of entities (server/src/imports). `state` is valid until the import is applied; then its batch has
   * the state.
   */
  imports: {
    _id: string
    entityType: ImportType
    filename: string
    size: number
    state: ImportState
    columns: { header: string; samples: string[] }[]
    mapping: ImportMapping
    emptyCells: (typeof EMPTY_CELLS)[number]
    /** Whether cells may begin with an apostrophe that marks them as text. */
    isGuarded: boolean
    /** The separator of a text table; ';' for a workbook with numbers as texts; '' for other formats. */
    separator: string
    total: number
    new: number
    changed: number
    unchanged: number
    refused: number
    duplicates: number
    reason: string | null
    job: string | null
    batch: string | null
    version: number
    userId: string
    username: string
    createdAt: string
    expiresAt: string
  }
  importParts: { import: string; seq: number; data: string }
  importRows: {
    import: string
    seq: number
    line: number
    cells: string[]
    /** The places of cells that are numbers in the workbook, where the same text could mean thousands or decimals. */
    numbers: number[] | null
    fault: string | null
  }
  importPlans: {
    import: string
    seq: number
    outcome: ImportOutcome
    /** The kind of the entity to change; null if it is that of the import. */
    entityType: Translated | null
    /** The entity to change, the id of the one to create, or the entity that a refused row names. */
    entityId: string | null
    /** The likely duplicate that was found for it. */
    matchId: string | null
    matchLine: number | null
    /** The version of the entity to change when it was checked. */
    version: number | null
    input: Record<string, unknown> | null
    changes: { path: string; from: string; to: string }[]
    reason: string | null
    /** The errors in its cells. */
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
