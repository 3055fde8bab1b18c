import * as z from 'zod/mini'
import { SuccessResponse, distinct, Id, NamesByLanguage, wholeParam } from './common.ts'
import { TRANSLATED_KINDS } from './kinds.ts'
import { openedQuery, PRESENCE_EVENTS } from './presence.ts'
import { get, post } from './route.ts'

/** The maximum number of notifications of each kind kept per user, and for how many days. */
export const MAX_NOTIFICATIONS = 200
export const NOTIFICATION_DAYS = 90

/** The kinds of batch that notify the user when they end. */
export const BATCH_KINDS = ['translations', 'rollback', 'tagReplacement', 'change'] as const
/** What a batch of the kind `change` did, if it did not change fields. */
export const BATCH_EFFECTS = ['delete', 'restore', 'import'] as const

/** The current title of an entity by language; absent in the event stream, and if it is in the trash or deleted. */
const translations = z.optional(NamesByLanguage)

/** The data of each kind of notification. Other names are those at the time of the event. */
const NOTIFICATION_DATA = {
  /** A batch that the user started has ended. */
  BATCH_FINISHED: z.object({
    what: z.enum(BATCH_KINDS),
    effect: z.optional(z.enum(BATCH_EFFECTS)),
    count: z.number(),
    failed: z.number(),
    /** The batch id of its revisions; null if there are none. */
    batch: z.nullable(z.string()),
  }),
  /** A file that the user uploaded could not be processed. */
  ASSET_FAILED: z.object({ assetId: z.string(), filename: z.string(), failure: z.string() }),
  /** Somebody rolled back `count` texts that the user had written; one of them is named. */
  CHANGES_ROLLED_BACK: z.object({
    by: z.string(),
    reason: z.string(),
    count: z.number(),
    entityType: z.enum(TRANSLATED_KINDS),
    entityId: z.string(),
    title: z.string(),
    translations,
    language: z.string(),
    field: z.string(),
  }),
  /** Somebody mentioned the user in a comment, or commented on an entity that the user had commented on. */
  COMMENTED: z.object({
    by: z.string(),
    mentioned: z.boolean(),
    commentId: z.string(),
    entityType: z.enum(TRANSLATED_KINDS),
    entityId: z.string(),
    title: z.string(),
    translations,
    /** The beginning of the comment as it is now; empty once it is deleted. */
    text: z.string(),
  }),
  /** The user's account was used from a new IP address, or with a new browser. */
  NEW_SIGN_IN: z.object({ address: z.string(), userAgent: z.string() }),
}

const notification = <Kind extends keyof typeof NOTIFICATION_DATA>(kind: Kind) =>
  z.object({
    _id: z.string(),
    kind: z.literal(kind),
    data: NOTIFICATION_DATA[kind],
    readAt: z.nullable(z.string()),
    createdAt: z.string(),
  })

export const Notification = z.discriminatedUnion('kind', [
  notification('BATCH_FINISHED'),
  notification('ASSET_FAILED'),
  notification('CHANGES_ROLLED_BACK'),
  notification('COMMENTED'),
  notification('NEW_SIGN_IN'),
])
export type Notification = z.output<typeof Notification>

/** A notification to be created: a kind with its data. */
export type NewNotification = {
  [Kind in keyof typeof NOTIFICATION_DATA]: { kind: Kind; data: z.output<(typeof NOTIFICATION_DATA)[Kind]> }
}[keyof typeof NOTIFICATION_DATA]

const Unread = z.object({ unread: z.number() })

/** `ids`: marks these as read; `upTo`: this one and all earlier ones, so that newer ones stay unread. */
export const ReadInput = z.union([
  z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(MAX_NOTIFICATIONS), distinct()) }),
  z.strictObject({ upTo: Id }),
])
export type ReadInput = z.output<typeof ReadInput>

/** `unread` is sent first, and again whenever the number may have changed. Ids count a user's notifications. */
export const NotificationEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('notification'), id: z.string(), data: Notification }),
  z.object({ event: z.literal('unread'), id: z.string(), data: Unread }),
  /** The permissions of the user may have changed: `GET /api/auth/verify` says what they are now. */
  z.object({ event: z.literal('permissions'), data: z.object({}) }),
  ...PRESENCE_EVENTS,
])
export type NotificationEvent = z.output<typeof NotificationEvent>

export const notificationsApi = {
  /** The user's own, newest first. */
  list: get('/api/notifications', {
    query: z.object({
      limit: z.prefault(wholeParam(1, MAX_NOTIFICATIONS), 20),
    }),
    response: z.object({ data: z.array(Notification), ...Unread.shape }),
  }),
  read: post('/api/notifications/read', { body: ReadInput, response: z.extend(SuccessResponse, Unread.shape) }),
  /**
   * With Last-Event-ID, missed notifications are sent first. With the entity that is open in an editor (presence.ts),
   * also reports who else has it open, and its current version; they see the caller for as long as the stream lasts.
   */
  stream: get('/api/notifications/stream', {
    query: z.object(openedQuery),
    response: NotificationEvent,
    stream: true,
  }),
}
