// Cache invalidation: which kinds each call reads and writes, so that after a write a client knows which of its cached
// responses are stale. The types keep both tables complete: a new route does not compile without an entry.
import type { aiApi } from './ai.ts'
import type { assetsApi, uploadsApi } from './assets.ts'
import type { auditApi } from './audit.ts'
import type { authApi } from './auth.ts'
import type { batchesApi } from './batches.ts'
import type { charactersApi } from './characters.ts'
import type { commentsApi } from './comments.ts'
import type { dashboardApi } from './dashboard.ts'
import type { findingsApi } from './findings.ts'
import type { historyApi } from './history.ts'
import type { importsApi } from './imports.ts'
import {
  CATALOGUE,
  type Kind,
  KINDS,
  pathOf,
  type PathOf,
  TRANSLATED_KINDS,
  type Translated,
  TRASH_KINDS,
} from './kinds.ts'
import type { languagesApi } from './languages.ts'
import type { mediaApi } from './media.ts'
import type { notificationsApi } from './notifications.ts'
import type { ratingsApi } from './ratings.ts'
import type { revisionsApi } from './revisions.ts'
import type { Route } from './route.ts'
import type { indexApi, searchApi } from './search.ts'
import type { jobsApi } from './jobs.ts'
import type { settingsApi } from './settings.ts'
import type { siteApi } from './site.ts'
import type { tagsApi } from './tags.ts'
import type { tiersApi } from './tiers.ts'
import type { trashApi } from './trash.ts'
import type { invitationsApi } from './invitations.ts'
import type { usersApi } from './users.ts'
import type { viewsApi } from './views.ts'
import type { suggestionsApi, workApi } from './work.ts'

type RouteOf<A> = A extends unknown ? A[keyof A] : never
type AnyRoute = RouteOf<
  | typeof aiApi
  | typeof assetsApi
  | typeof auditApi
  | typeof authApi
  | typeof batchesApi
  | typeof charactersApi
  | typeof commentsApi
  | typeof invitationsApi
  | typeof dashboardApi
  | typeof findingsApi
  | typeof historyApi
  | typeof importsApi
  | typeof indexApi
  | typeof languagesApi
  | typeof mediaApi
  | typeof notificationsApi
  | typeof ratingsApi
  | typeof revisionsApi
  | typeof searchApi
  | typeof jobsApi
  | typeof settingsApi
  | typeof siteApi
  | typeof suggestionsApi
  | typeof tagsApi
  | typeof tiersApi
  | typeof trashApi
  | typeof uploadsApi
  | typeof usersApi
  | typeof viewsApi
  | typeof workApi
>
type Name<R> = R extends { method: infer Method extends string; path: infer Path extends string }
  ? `${Method} ${Path}`
  : never
type Reading = Extract<AnyRoute, { method: 'GET' }>
type ReadPath = Reading['path']
type WriteName = Name<Exclude<AnyRoute, Reading>>

/** What a response can depend on: the kinds of entity, and other stored data. */
export const SUBJECTS = [
  ...KINDS,
  'Session',
  'Notification',
  'AuditEntry',
  'SearchIndex',
  'AiUsage',
  'View',
  'Batch',
  'Comment',
  'Import',
  'Job',
] as const
export type Subject = (typeof SUBJECTS)[number]

/** The entries of the write routes that every area has. */
const writesOf = <Path extends string>(path: Path, kind: Kind) =>
  ({
    [`POST ${path}`]: [kind],
    [`PUT ${path}/:id`]: [kind],
    [`DELETE ${path}/:id`]: [kind],
    [`POST ${path}/:id/restore`]: [kind],
  }) as unknown as Record<
    `POST ${Path}` | `PUT ${Path}/:id` | `DELETE ${Path}/:id` | `POST ${Path}/:id/restore`,
    readonly Subject[]
  >

/** The entries of all kinds with texts; a kind can override them further down in the table. */
const everyKind = <Row extends string>(tableOf: (kind: Translated) => Record<string, readonly Subject[]>) =>
  Object.assign({}, ...TRANSLATED_KINDS.map(tableOf)) as Record<Row, readonly Subject[]>
type TranslatedPath = PathOf<Translated>

type Listed<All extends string, Some extends All> = Some
/** GET routes whose response no client caches. Only types, so that browsers do not load them. */
type NotCached =
  | `${TranslatedPath}/export`
  | Listed<
      ReadPath,
      | '/api/uploads/:id'
      | '/api/users/invite'
      | '/api/batches/:id/stream'
      | '/api/imports/:id/stream'
      | '/api/imports/:id/refused'
      | '/api/notifications/stream'
      | '/api/settings/about'
      | '/api/audit/export'
      | '/api/ai/process'
      | '/api/ai/process-media2'
    >
/** Other routes that write nothing that a client caches: the console keeps the preferences in its session. */
type Idle =
  | `POST ${TranslatedPath}/duplicates`
  | `POST ${TranslatedPath}/export`
  | Listed<
      WriteName,
      | 'PUT /api/auth/preferences'
      | 'POST /api/uploads'
      | 'DELETE /api/uploads/:id'
      | 'POST /api/score-permissions/preview'
      | 'POST /api/work/claim'
      | 'POST /api/work/release'
      | 'POST /api/ai/match-characters'
    >

/** The subjects that the response of each GET route depends on, by path. */
export const SHOWS: Record<Exclude<ReadPath, NotCached>, readonly Subject[]> = {
  ...everyKind<TranslatedPath | `${TranslatedPath}/:id` | `${TranslatedPath}/:id/uses`>((kind) => ({
    [pathOf(kind)]: CATALOGUE,
    [`${pathOf(kind)}/:id`]: CATALOGUE,
    [`${pathOf(kind)}/:id/uses`]: CATALOGUE,
  })),

  '/api/auth/verify': ['User', 'Tier'],
  '/api/auth/profile': ['User', 'Tier'],
  '/api/auth/sessions': ['Session'],

  '/api/site': ['Setting'],
  '/admin/stats': CATALOGUE,
  '/api/dashboard/work': [...CATALOGUE, 'User', 'Tier', 'Setting'],
  '/admin/recent-activities': [...CATALOGUE, 'Rating', 'User'],
  '/api/activities': [...CATALOGUE, 'Rating', 'User'],
  '/api/search': [...CATALOGUE, 'User', 'SearchIndex'],
  '/api/search/entries': [...CATALOGUE, 'User'],
  '/api/search/index': [...CATALOGUE, 'User', 'SearchIndex'],

  '/api/languages': [...TRANSLATED_KINDS, 'Setting'],
  '/api/languages/fold': [...TRANSLATED_KINDS, 'Setting'],
  '/api/findings': [...CATALOGUE, 'Setting'],
  '/api/findings/marks': [...TRANSLATED_KINDS, 'Setting'],
  '/api/findings/:id': [...CATALOGUE, 'Setting'],
  '/api/findings/:id/decisions': TRANSLATED_KINDS,

  '/api/media': [...CATALOGUE, 'Rating'],
  '/api/media/:id': [...CATALOGUE, 'Rating', 'User'],
  ...everyKind<`${TranslatedPath}/duplicates`>((kind) => ({
    [`${pathOf(kind)}/duplicates`]: [...CATALOGUE, 'Rating', 'Setting'],
  })),
  '/api/media/:id/uses': [...CATALOGUE, 'Rating'],
  '/api/characters/media/:id': CATALOGUE,
  '/api/characters/:id': [...CATALOGUE, 'User'],
  '/api/characters/:id/media': [...CATALOGUE, 'Rating'],
  '/api/ratings': ['Rating', 'Media', 'User'],
  '/api/ratings/media/:id': ['Rating', 'Media', 'User'],
  '/api/ratings/:id': ['Rating', 'Media', 'User'],
  '/api/ratings/:id/uses': ['Rating'],
  '/api/assets': [...CATALOGUE, 'User'],
  '/api/assets/:id': [...CATALOGUE, 'User'],
  '/api/assets/:id/uses': CATALOGUE,

  '/api/translation-history/recent': [...TRANSLATED_KINDS, 'User'],
  '/api/translation-history/statistics': TRANSLATED_KINDS,
  '/api/revisions': KINDS,
  '/api/revisions/:id': KINDS,
  '/api/trash': TRASH_KINDS,

  '/api/users': ['User', 'Tier', 'Session'],
  '/api/users/:id': ['User', 'Tier', 'Session'],
  '/api/users/:id/uses': [...CATALOGUE, 'Rating', 'User'],
  '/api/score-permissions': ['Tier', 'User'],
  '/api/score-permissions/:id': ['Tier', 'User'],
  '/api/score-permissions/:id/uses': ['Tier', 'User'],

  '/api/comments': ['Comment', 'User', ...TRANSLATED_KINDS],
  '/api/comments/counts': ['Comment', ...TRANSLATED_KINDS],
  '/api/views': ['View', 'User'],
  '/api/views/:id': ['View', 'User'],
  '/api/work/suggestions': TRANSLATED_KINDS,
  '/api/batches': ['Batch'],
  '/api/batches/:id': ['Batch'],
  '/api/batches/:id/results': ['Batch', ...KINDS],
  '/api/imports': ['Import', 'Batch'],
  '/api/imports/:id': ['Import', 'Batch', ...TRANSLATED_KINDS],

  '/api/notifications': ['Notification', ...CATALOGUE],
  '/api/settings': ['Setting'],
  '/api/jobs': ['Job', 'Batch', 'SearchIndex'],
  '/api/settings/storage': ['Asset', 'Setting'],
  '/api/audit': SUBJECTS,
  '/api/audit/state': SUBJECTS,

  '/api/ai/status': ['Setting', 'AiUsage'],
}

/**
 * The subjects that a call may write. Derived data (counts, activities, history) is no subject of its own: the reads of
 * it are in the table above. A GET route is listed only if it has side effects.
 */
export const WRITES: Record<Exclude<WriteName, Idle>, readonly Subject[]> &
  Partial<Record<`GET ${ReadPath}`, readonly Subject[]>> = {
  ...everyKind<keyof ReturnType<typeof writesOf<TranslatedPath>>>((kind) => writesOf(pathOf(kind), kind)),
  ...everyKind<`POST ${TranslatedPath}/:id/merge`>((kind) => ({
    [`POST ${pathOf(kind)}/:id/merge`]: [...CATALOGUE, 'Rating', 'Batch'],
  })),
  // The batch goes on writing in the background; its stream (GET /api/batches/:id/stream) reports that.
  ...everyKind<`POST ${TranslatedPath}/bulk`>((kind) => ({ [`POST ${pathOf(kind)}/bulk`]: [kind, 'Batch'] })),

  'POST /api/auth/login': ['Session', 'User'],
  'POST /api/auth/forgot-password': ['AuditEntry'],
  'POST /api/auth/reset-password': ['Session', 'User'],
  'POST /api/auth/logout': ['Session'],
  'POST /api/auth/confirm': ['Session'],
  'PUT /api/auth/profile': ['User'],
  'PUT /api/auth/password': ['Session', 'User'],
  'DELETE /api/auth/sessions/:id': ['Session'],
  'DELETE /api/auth/sessions': ['Session'],

  'POST /api/tags/:id/replace': ['Tag', 'Media', 'Character'],
  ...writesOf('/api/ratings', 'Rating'),
  'POST /api/assets': ['Asset'],
  'POST /api/assets/image': ['Asset'],
  'PUT /api/assets/:id': ['Asset'],
  'PUT /api/assets/:id/file': ['Asset'],
  'POST /api/assets/:id/retry': ['Asset'],
  'DELETE /api/assets/:id': ['Asset'],
  'POST /api/assets/:id/restore': ['Asset'],
  'POST /api/assets/unused/trash': ['Asset'],
  'POST /api/assets/unused/restore': ['Asset'],
  'PATCH /api/uploads/:id': ['Asset'],

  'POST /api/languages/fold': [...TRANSLATED_KINDS, 'Setting'],
  'POST /api/findings/dismiss': TRANSLATED_KINDS,
  'DELETE /api/findings/dismiss': TRANSLATED_KINDS,

  'POST /api/translation-history/rollback/:id': TRANSLATED_KINDS,
  'POST /api/translation-history/rollback': [...TRANSLATED_KINDS, 'Batch'],
  'POST /api/revisions/:id/restore': KINDS,
  'DELETE /api/trash/:kind/:id': TRASH_KINDS,

  'POST /api/batches/:id/cancel': ['Batch'],
  'POST /api/batches/:id/rollback': ['Batch'],
  'GET /api/batches/:id/stream': ['Batch', ...KINDS],

  'POST /api/imports': ['Import'],
  'PUT /api/imports/:id/mapping': ['Import'],
  'PUT /api/imports/:id/cells': ['Import'],
  // The batch writes in the background; its stream reports that.
  'POST /api/imports/:id/apply': ['Import', 'Batch'],
  'POST /api/imports/:id/cancel': ['Import', 'Batch'],
  'DELETE /api/imports/:id': ['Import'],
  'GET /api/imports/:id/stream': ['Import'],

  'POST /api/users': ['User'],
  'PUT /api/users/:id': ['User', 'Session'],
  'DELETE /api/users/:id': ['User', 'Session'],
  'POST /api/users/:id/restore': ['User'],
  'POST /api/users/invite': ['User'],
  'POST /api/users/:id/invite': ['User'],
  ...writesOf('/api/score-permissions', 'Tier'),

  'POST /api/comments': ['Comment'],
  'PUT /api/comments/:id': ['Comment'],
  'DELETE /api/comments/:id': ['Comment'],
  'POST /api/views': ['View'],
  'PUT /api/views/:id': ['View'],
  'DELETE /api/views/:id': ['View'],

  'POST /api/notifications/read': ['Notification'],
  'PUT /api/settings': ['Setting'],
  'POST /api/settings/mail/test': ['AuditEntry'],
  'POST /api/settings/ai/test': ['AuditEntry', 'AiUsage'],
  'POST /api/search/index': ['SearchIndex'],
  'POST /api/jobs/:id/retry': ['Job', 'Batch', 'SearchIndex', 'AuditEntry'],
  'POST /api/jobs/:id/cancel': ['Job', 'Batch', 'SearchIndex', 'AuditEntry'],
  'POST /api/audit/verify': ['AuditEntry'],
  'GET /api/audit/export': ['AuditEntry'],

  'GET /api/ai/process': ['AiUsage'],
  'POST /api/ai/process': ['AiUsage'],
  'GET /api/ai/process-media2': ['AiUsage'],
  'POST /api/ai/process-standard': ['AiUsage'],
  'POST /api/search': ['AiUsage'],
  'POST /api/ai/create-media': [...CATALOGUE, 'AiUsage'],
  'PUT /api/translations/media/batch': ['Media'],
  // A notification reports a write by another user or by the server itself.
  'GET /api/notifications/stream': ['Notification', ...CATALOGUE, 'Session'],
}

/** The subjects that the response of the GET route with this path depends on; undefined if no client caches it. */
export const shownAt = (path: string): readonly Subject[] | undefined =>
  Object.hasOwn(SHOWS, path) ? SHOWS[path as keyof typeof SHOWS] : undefined

/** The subjects that a call of this route may have written. */
export const writtenBy = ({ method, path }: Pick<Route, 'method' | 'path'>): readonly Subject[] => {
  const name = `${method} ${path}`
  return Object.hasOwn(WRITES, name) ? (WRITES[name as keyof typeof WRITES] ?? []) : []
}
