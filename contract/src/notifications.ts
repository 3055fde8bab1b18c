import * as z from 'zod/mini'
import { SuccessResponse, Id } from './common.ts'
import { TRANSLATED_KINDS } from './kinds.ts'
import { openedQuery, PRESENCE_EVENTS } from './presence.ts'
import { get, post } from './route.ts'

/** How many are kept for a user, and for how many days. */
export const MAX_NOTIFICATIONS = 200
export const NOTIFICATION_DAYS = 90

/** What was done to many things at once. */
export const BATCH_KINDS = ['translations', 'rollback', 'tagReplacement', 'change'] as const

/** What each kind tells. Names are as they were then: a notification says what happened, not what is. */
const NOTIFICATION_DATA = {
  /** Something that the user did to many things at once has come to its end. */
  BATCH_FINISHED: z.object({
    what: z.enum(BATCH_KINDS),
    count: z.number(),
    failed: z.number(),
    /** What its revisions have in common; null when there are none. */
    batch: z.nullable(z.string()),
  }),
  /** A file that the user uploaded could not be processed. */
  ASSET_FAILED: z.object({ assetId: z.string(), filename: z.string(), failure: z.string() }),
  /** Somebody took back texts that the user had written: `count` of them, one of which is named. */
  CHANGES_ROLLED_BACK: z.object({
    by: z.string(),
    reason: z.string(),
    count: z.number(),
    entityType: z.enum(TRANSLATED_KINDS),
    entityId: z.string(),
    title: z.string(),
    language: z.string(),
    field: z.string(),
  }),
  /** Somebody mentioned the user in a comment, or commented where the user had commented. */
  COMMENTED: z.object({
    by: z.string(),
    mentioned: z.boolean(),
    commentId: z.string(),
    entityType: z.enum(TRANSLATED_KINDS),
    entityId: z.string(),
    title: z.string(),
    /** The beginning of the comment. */
    text: z.string(),
  }),
  /** The user's account was used from an address, or with a browser, that it had never been used with before. */
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

/** A kind with what it tells. */
export type NewNotification = {
  [Kind in keyof typeof NOTIFICATION_DATA]: { kind: Kind; data: z.output<(typeof NOTIFICATION_DATA)[Kind]> }
}[keyof typeof NOTIFICATION_DATA]

const Unread = z.object({ unread: z.number() })

/** `ids`: these; `upTo`: this one and all before it, so that one that came meanwhile stays unread. */
export const ReadInput = z.union([
  z.strictObject({ ids: z.array(Id).check(z.minLength(1), z.maxLength(MAX_NOTIFICATIONS)) }),
  z.strictObject({ upTo: Id }),
])
export type ReadInput = z.output<typeof ReadInput>

/** `unread` comes first, and then whenever the number may have changed. Ids count a user's notifications. */
export const NotificationEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('notification'), id: z.string(), data: Notification }),
  z.object({ event: z.literal('unread'), id: z.string(), data: Unread }),
  ...PRESENCE_EVENTS,
])
export type NotificationEvent = z.output<typeof NotificationEvent>

export const notificationsApi = {
  /** The user's own, newest first. */
  list: get('/api/notifications', {
    query: z.object({
      limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(MAX_NOTIFICATIONS)), 20),
    }),
    response: z.object({ data: z.array(Notification), ...Unread.shape }),
  }),
  read: post('/api/notifications/read', { body: ReadInput, response: z.extend(SuccessResponse, Unread.shape) }),
  /**
   * With Last-Event-ID, what came since then is sent first. With what an editor has open, also who else has it open and
   * which version it has; while the stream stands, who follows it is shown to them.
   */
  stream: get('/api/notifications/stream', {
    query: z.object(openedQuery),
    response: NotificationEvent,
    stream: true,
  }),
}
