import * as z from 'zod/mini'
import { Moment, SuccessResponse, distinct, Id, NamesByLanguage, WholeNumber, wholeParam } from './common.ts'
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

const notification = <Kind extends string, Data extends z.core.$ZodShape>(kind: Kind, data: Data) =>
  z.object({
    _id: z.string(),
    kind: z.literal(kind),
    data: z.object(data),
    readAt: z.nullable(Moment),
    createdAt: Moment,
  })

/** The kinds of notification, each with its data. Names, except those in `translations`, are as they were at the time. */
export const Notification = z.discriminatedUnion('kind', [
  /** A batch that the user started has ended. */
  notification('BATCH_FINISHED', {
    what: z.enum(BATCH_KINDS),
    effect: z.optional(z.enum(BATCH_EFFECTS)),
    count: WholeNumber,
    failed: WholeNumber,
    /** The batch id of its revisions; null if there are none. */
    batch: z.nullable(z.string()),
  }),
  /** A file that the user uploaded could not be processed. */
  notification('ASSET_FAILED', { assetId: z.string(), filename: z.string(), failure: z.string() }),
  /** Somebody rolled back `count` texts that the user had written; one of them is named. */
  notification('CHANGES_ROLLED_BACK', {
    by: z.string(),
    reason: z.string(),
    count: WholeNumber,
    entityType: z.enum(TRANSLATED_KINDS),
    entityId: z.string(),
    title: z.string(),
    translations,
    language: z.string(),
    field: z.string(),
  }),
  /** Somebody mentioned the user in a comment, or commented on an entity that the user had commented on. */
  notification('COMMENTED', {
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
  notification('NEW_SIGN_IN', { address: z.string(), userAgent: z.string() }),
])
export type Notification = z.output<typeof Notification>

/** A notification to be created: a kind with its data. */
export type NewNotification = Unsaved<Notification>
type Unsaved<Each> = Each extends Notification ? Pick<Each, 'kind' | 'data'> : never

const Unread = z.object({ unread: WholeNumber })

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
