// Who may call which route (docs/behaviour.md#permissions), and the reason that others are given. A route without a rule
// fails the test that walks all routes.
import type { DenialCode } from '@mokuroku/contract/denials'
import { pathOf, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { KIND_SAMPLES } from '#test/kinds.ts'
import { type Who, WHO } from './people.ts'

/** Who is allowed. Others get 403, and visitors 401. */
export interface Rule {
  may: readonly Who[]
  /** The reason for the 403; `denials` has those of users who get another one. */
  denial?: DenialCode
  denials?: Partial<Record<Who, DenialCode>>
  /** Others get 404, as if it did not exist, except for these, who know that it exists and get 403. */
  hidden?: readonly Who[]
}

const ANYBODY = { may: WHO }
const SIGNED_IN = { may: WHO.filter((who) => who !== 'nobody' && who !== 'deactivated') }
const may = (denial: DenialCode, ...who: Who[]): Rule => ({ may: who, denial })
const also = (denial: DenialCode, ...who: Who[]): Rule => may(denial, 'moderator', 'admin', ...who)

const ADMIN = may('adminOnly', 'admin')
const ADMIN_READS = may('adminReads', 'admin')
const MODERATORS_READ = also('moderatorReads')
const EDIT: Rule = {
  ...also('canEditAnyContent', 'owner', 'canEditAnyContent'),
  denials: { bareOwner: 'canEditOwnContent' },
}
/** The input names the entities, so that those who may not even edit their own are refused first. */
const EDIT_NAMED: Rule = {
  ...EDIT,
  denial: 'canEditOwnContent',
  denials: { canEditOwnContent: 'canEditAnyContent' },
}
const ROLLBACK = also('canEditAnyContent', 'owner', 'bareOwner', 'canEditAnyContent')
const UPLOAD = also('upload', 'user', 'maxUploadSizeMB', 'owner')
const OWN: Rule = { ...also('ownerOnly', 'owner'), denials: { bareOwner: 'canEditOwnContent' } }
const OWN_RATING: Rule = { ...OWN, denials: { bareOwner: 'canRateContent' } }
const OWN_VIEW = may('ownerOrAdmin', 'admin', 'owner', 'bareOwner')
/** Others get 404. */
const BATCH: Rule = { may: ['moderator', 'admin', 'owner', 'bareOwner'], hidden: [] }
/** Only administrators see the files of others, who get 404. */
const OWN_FILE: Rule = { may: ['admin', 'owner', 'bareOwner'], hidden: [] }
/** What leads to writing a file's rows, here media, is for those who may write some. */
const WRITE_FILE: Rule = { may: ['admin', 'owner'], hidden: ['bareOwner'], denial: 'canCreateMedia' }
const ASSIST = also(
  'assist',
  'owner',
  'canCreateMedia',
  'canCreateCharacter',
  'canCreateTag',
  'canEditOwnContent',
  'canEditAnyContent',
)

/** The rules for the routes that every catalogue kind has. */
const rulesOf = (kind: Translated): Record<string, Rule> => {
  const path = pathOf(kind)
  const { createdWith } = KIND_SAMPLES[kind]
  return {
    [`GET ${path}`]: SIGNED_IN,
    [`GET ${path}/:id`]: SIGNED_IN,
    [`GET ${path}/:id/uses`]: SIGNED_IN,
    [`POST ${path}`]: createdWith ? also(createdWith, createdWith) : also('moderatorOnly'),
    [`PUT ${path}/:id`]: EDIT,
    [`DELETE ${path}/:id`]: EDIT,
    [`POST ${path}/:id/restore`]: EDIT,
    [`GET ${path}/export`]: SIGNED_IN,
    [`POST ${path}/export`]: SIGNED_IN,
    [`POST ${path}/bulk`]: EDIT_NAMED,
    [`POST ${path}/:id/merge`]: EDIT,
    [`GET ${path}/duplicates`]: SIGNED_IN,
    [`POST ${path}/duplicates`]: SIGNED_IN,
  }
}

export const RULES: Record<string, Rule> = {
  ...Object.assign({}, ...TRANSLATED_KINDS.map(rulesOf)),
  'POST /api/auth/login': ANYBODY,
  'POST /api/auth/forgot-password': ANYBODY,
  'POST /api/auth/reset-password': ANYBODY,
  'GET /api/auth/verify': SIGNED_IN,
  'POST /api/auth/logout': SIGNED_IN,
  'GET /api/auth/profile': SIGNED_IN,
  'PUT /api/auth/profile': SIGNED_IN,
  'PUT /api/auth/preferences': SIGNED_IN,
  'PUT /api/auth/password': SIGNED_IN,
  'POST /api/auth/confirm': SIGNED_IN,
  'GET /api/auth/sessions': SIGNED_IN,
  'DELETE /api/auth/sessions/:id': SIGNED_IN,
  'DELETE /api/auth/sessions': SIGNED_IN,

  'GET /api/site': ANYBODY,
  'GET /admin/stats': SIGNED_IN,
  'GET /admin/recent-activities': SIGNED_IN,
  'GET /api/activities': SIGNED_IN,
  'GET /api/search': SIGNED_IN,
  'GET /api/search/entries': SIGNED_IN,
  'GET /api/search/index': MODERATORS_READ,
  'POST /api/search/index': ADMIN,

  'GET /api/languages': SIGNED_IN,
  'GET /api/languages/fold': ADMIN,
  'POST /api/languages/fold': ADMIN,
  'GET /api/views': SIGNED_IN,
  'GET /api/views/:id': SIGNED_IN,
  'POST /api/views': SIGNED_IN,
  'PUT /api/views/:id': OWN_VIEW,
  'DELETE /api/views/:id': OWN_VIEW,

  'GET /api/comments': SIGNED_IN,
  'GET /api/comments/counts': SIGNED_IN,
  'POST /api/comments': SIGNED_IN,
  // The call resolves the comment.
  'PUT /api/comments/:id': also('authorOrEditor', 'owner', 'bareOwner', 'canEditAnyContent'),
  'DELETE /api/comments/:id': also('ownerOnly', 'owner', 'bareOwner'),

  'POST /api/work/claim': also('canEditOwnContent', 'owner', 'canEditOwnContent', 'canEditAnyContent'),
  'POST /api/work/release': SIGNED_IN,
  'GET /api/work/suggestions': ASSIST,

  'GET /api/dashboard/work': SIGNED_IN,
  'GET /api/findings': SIGNED_IN,
  'GET /api/findings/marks': SIGNED_IN,
  'GET /api/findings/:id': SIGNED_IN,
  'GET /api/findings/:id/decisions': SIGNED_IN,
  'POST /api/findings/dismiss': EDIT_NAMED,
  'DELETE /api/findings/dismiss': EDIT_NAMED,

  'GET /api/characters/media/:id': SIGNED_IN,
  'GET /api/characters/:id/media': SIGNED_IN,

  // It changes the entities that use the tag.
  'POST /api/tags/:id/replace': EDIT_NAMED,

  'GET /api/ratings': SIGNED_IN,
  'GET /api/ratings/media/:id': SIGNED_IN,
  'GET /api/ratings/:id': SIGNED_IN,
  'GET /api/ratings/:id/uses': SIGNED_IN,
  'POST /api/ratings': also('canRateContent', 'user', 'owner', 'canRateContent'),
  'PUT /api/ratings/:id': OWN_RATING,
  'DELETE /api/ratings/:id': also('ownerOnly', 'owner', 'bareOwner'),
  'POST /api/ratings/:id/restore': OWN_RATING,

  'GET /api/assets': SIGNED_IN,
  'GET /api/assets/:id': SIGNED_IN,
  'GET /api/assets/:id/uses': SIGNED_IN,
  'POST /api/assets': UPLOAD,
  'POST /api/assets/image': UPLOAD,
  'PUT /api/assets/:id': OWN,
  'PUT /api/assets/:id/file': OWN,
  'POST /api/assets/:id/retry': OWN,
  'DELETE /api/assets/:id': OWN,
  'POST /api/assets/:id/restore': OWN,
  'POST /api/assets/unused/trash': also('moderatorOnly'),
  'POST /api/assets/unused/restore': {
    ...OWN,
    denial: 'canEditOwnContent',
    denials: { canEditOwnContent: 'ownerOnly' },
  },
  'POST /api/uploads': UPLOAD,
  'GET /api/uploads/:id': { may: ['owner', 'bareOwner'], hidden: [] },
  'PATCH /api/uploads/:id': { may: ['owner'], denial: 'upload', hidden: ['bareOwner'] },
  'DELETE /api/uploads/:id': { may: ['owner', 'bareOwner'], hidden: [] },

  'GET /api/translation-history/recent': SIGNED_IN,
  'GET /api/translation-history/statistics': SIGNED_IN,
  'POST /api/translation-history/rollback/:id': ROLLBACK,
  'POST /api/translation-history/rollback': ROLLBACK,
  'GET /api/revisions': SIGNED_IN,
  'GET /api/revisions/:id': SIGNED_IN,
  'POST /api/revisions/:id/restore': EDIT,
  'GET /api/trash': SIGNED_IN,

  'GET /api/batches': SIGNED_IN,
  'GET /api/batches/:id': BATCH,
  'GET /api/batches/:id/results': BATCH,
  'GET /api/batches/:id/stream': BATCH,
  'POST /api/batches/:id/cancel': BATCH,
  // Checked for each change of the batch.
  'POST /api/batches/:id/rollback': ROLLBACK,
  'DELETE /api/trash/:kind/:id': ADMIN,

  'GET /api/imports': SIGNED_IN,
  // The call says what the file contains: here, media.
  'POST /api/imports': {
    ...also('write', 'owner', 'canCreateMedia', 'canEditOwnContent', 'canEditAnyContent'),
    denials: { canCreateCharacter: 'canCreateMedia', canCreateTag: 'canCreateMedia' },
  },
  'GET /api/imports/:id': OWN_FILE,
  'GET /api/imports/:id/stream': OWN_FILE,
  'GET /api/imports/:id/refused': OWN_FILE,
  'PUT /api/imports/:id/mapping': WRITE_FILE,
  'PUT /api/imports/:id/cells': WRITE_FILE,
  // Permission to write is also checked for each row.
  'POST /api/imports/:id/apply': WRITE_FILE,
  'POST /api/imports/:id/cancel': OWN_FILE,
  'DELETE /api/imports/:id': OWN_FILE,

  'GET /api/users': SIGNED_IN,
  'GET /api/users/:id': SIGNED_IN,
  'GET /api/users/:id/uses': MODERATORS_READ,
  'POST /api/users': ADMIN,
  'PUT /api/users/:id': ADMIN,
  'DELETE /api/users/:id': ADMIN,
  'POST /api/users/:id/restore': ADMIN,
  'GET /api/users/invite': ADMIN,
  'POST /api/users/invite': ADMIN,
  'POST /api/users/:id/invite': ADMIN,
  'GET /api/score-permissions': SIGNED_IN,
  'GET /api/score-permissions/:id': SIGNED_IN,
  'GET /api/score-permissions/:id/uses': SIGNED_IN,
  'POST /api/score-permissions': ADMIN,
  'PUT /api/score-permissions/:id': ADMIN,
  'DELETE /api/score-permissions/:id': ADMIN,
  'POST /api/score-permissions/:id/restore': ADMIN,
  'POST /api/score-permissions/preview': ADMIN,

  'GET /api/audit': ADMIN_READS,
  'GET /api/audit/state': ADMIN_READS,
  'POST /api/audit/verify': ADMIN_READS,
  'GET /api/audit/export': ADMIN_READS,

  'GET /api/notifications': SIGNED_IN,
  'POST /api/notifications/read': SIGNED_IN,
  'GET /api/notifications/stream': SIGNED_IN,

  'GET /api/jobs': MODERATORS_READ,
  'POST /api/jobs/:id/retry': ADMIN,
  'POST /api/jobs/:id/cancel': ADMIN,
  'GET /api/settings': MODERATORS_READ,
  'PUT /api/settings': ADMIN,
  'POST /api/settings/mail/test': ADMIN,
  'GET /api/settings/storage': MODERATORS_READ,
  'GET /api/settings/about': SIGNED_IN,

  'GET /api/ai/status': SIGNED_IN,
  'GET /api/ai/process': ASSIST,
  'POST /api/ai/process': ASSIST,
  'GET /api/ai/process-media2': ASSIST,
  'POST /api/ai/process-standard': ASSIST,
  'POST /api/search': ASSIST,
  'POST /api/ai/match-characters': SIGNED_IN,
  'POST /api/ai/create-media': also('canCreateMedia', 'canCreateMedia'),
  'PUT /api/translations/media/batch': also('canEditAnyContent', 'canEditAnyContent'),
  'POST /api/settings/ai/test': ADMIN,
}

/** What the server serves outside the contract: public, and without any data of the catalogue. */
export const BESIDE = ['/api/openapi.json', '/files/:key', '/files/outside', '/healthz', '/metrics', '/readyz']
