// What the OpenAPI description says in words. The schemas, limits and headers come from the contract.
import { KINDS, pathOf } from '@mokuroku/contract/kinds'
import type { Route } from '@mokuroku/contract/route'

export const INTRODUCTION = `
The API of a catalogue of media, characters and tags.

**Sign-in.** \`POST /api/auth/login\` returns a token; every call that is not public needs it as \`Authorization: Bearer <token>\`. After a 401, sign in again. Some changes of accounts, tiers and settings are refused with 403 and the code \`reauthenticate\` until \`POST /api/auth/confirm\` has checked the password again.

**Errors.** Any response other than 2xx and 304 has a JSON body with \`message\`, a sentence for the user, \`code\` and \`requestId\`; invalid input also has \`errors\`, by path. Branch on \`code\`, not on \`message\`. Unknown query parameters and fields are invalid; fields that only responses have may be sent back and are ignored. An empty query parameter counts as not set.

**Lists.** They take \`page\` (from 1) or \`skip\`, and \`limit\` (at most 100). \`X-Total-Count\` is the exact number of matches up to 10,000, and \`10000+\` beyond. To read a whole list, sort by \`createdAt\` and increase \`page\` until a page has fewer rows than \`limit\`, or export it.

**Versions.** Every stored entry has a \`version\`. Send the one you have read as \`If-Match: "3"\`: changes of others to other fields and languages are kept, and a save that would overwrite one is refused with 412, whose body has \`base\`, \`mine\` and \`theirs\`. Without \`If-Match\`, a save replaces the entry: optional fields that are left out keep their value, but a language that \`translations\` leaves out is removed.

**Retries.** A call with \`Idempotency-Key\` can be repeated after a lost response: with the same key and body (or file, with its name and fields), it creates nothing again and returns what the first call created. 429, 503 and 507 say in \`Retry-After\` how many seconds to wait.

**Event streams.** Each event has the fields \`event\`, \`id\` (where the stream can be continued) and \`data\`, which is JSON; the schema describes the three together. A comment every 15 seconds keeps the connection open. A stream that fails ends with the event \`error\`, whose data is an error with its \`status\`. After a lost connection, open the stream again: the one of notifications continues after \`Last-Event-ID\`, and those of a batch and an import begin with the current state. The stream of a batch ends with the batch, that of an import when nothing is in progress: at the state \`ready\`, and once it is written.

**Files.** Send a file as a form to \`POST /api/assets\`, or in parts if it is large or the connection may break: \`POST /api/uploads\`, then \`PATCH /api/uploads/{id}\` until the response has \`asset\`. Then link it by its \`_id\`, such as in \`cover\`. With \`replaces\`, an upload in parts replaces the file of an asset instead, as \`PUT /api/assets/{id}/file\` does. The \`url\` of an asset is relative to the address of the server; that of a private asset is valid for five minutes.

**Work in the background.** Bulk changes, rollbacks and applying an import answer 202 with the id of a batch: follow \`GET /api/batches/{id}/stream\`, or poll \`GET /api/batches/{id}\` until its state is \`done\`, \`failed\` or \`cancelled\`. \`POST /api/batches/{id}/rollback\` undoes a batch with another one. To import a file, upload it to \`POST /api/imports\`, wait until its state is \`ready\`, look at its \`counts\` and \`rows\`, and apply it.
`.trim()

const NOUNS: Partial<Record<string, [one: string, many: string]>> = { Media: ['a media item', 'media'] }
/** What an entry of a kind is called in a sentence, and several. */
const nounsOf = (kind: (typeof KINDS)[number]): [string, string] => {
  const noun = kind.toLowerCase()
  return NOUNS[kind] ?? [`${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`, `${noun}s`]
}

/** The calls that several kinds have, by method and by what follows the path of the kind. */
const OF_KIND: Record<string, (one: string, many: string) => string> = {
  'GET ': (_, many) => `List ${many}`,
  'POST ': (one) => `Create ${one}`,
  'GET /:id': (one) => `Get ${one}`,
  'PUT /:id': (one) => `Change ${one}`,
  'DELETE /:id': (one) => `Move ${one} to the trash`,
  'POST /:id/restore': (one) => `Restore ${one} from the trash`,
  'GET /:id/uses': (one) => `Where ${one} is used`,
  'POST /:id/merge': (one) => `Merge another entry into ${one}`,
  'GET /duplicates': (_, many) => `List pairs of ${many} that are likely duplicates`,
  'POST /duplicates': (one) => `Find likely duplicates of ${one} that is being edited`,
  'POST /bulk': (_, many) => `Change, delete or restore many ${many} as one batch`,
  'GET /export': (_, many) => `Export ${many} that match filters`,
  'POST /export': (_, many) => `Export selected ${many}`,
}

const SUMMARIES: Record<string, string> = {
  'POST /api/auth/login': 'Sign in',
  'POST /api/auth/forgot-password': 'Send an email with a link to choose a new password',
  'POST /api/auth/reset-password': 'Choose a new password with the token of such a link',
  'GET /api/auth/verify': 'Get the signed-in user, with permissions and preferences',
  'POST /api/auth/logout': 'Sign out: end the session of the token',
  'GET /api/auth/profile': 'Get the account of the signed-in user',
  'PUT /api/auth/profile': 'Change the name or the avatar of the signed-in user',
  'PUT /api/auth/preferences': 'Change display preferences; what is left out stays',
  'POST /api/auth/confirm': 'Confirm the password, for changes that need that',
  'PUT /api/auth/password': 'Change the password; all other sessions end',
  'GET /api/auth/sessions': 'List the sessions of the signed-in user',
  'DELETE /api/auth/sessions': 'End all sessions except the current one',
  'DELETE /api/auth/sessions/:id': 'End a session',
  'GET /api/dashboard/work': 'Count what is left to do, and how that has changed',
  'GET /admin/stats': 'Count entries, and the uses of tags by type',
  'GET /admin/recent-activities': 'List the latest activities',
  'GET /api/activities': 'List all activities',
  'GET /api/search': 'Search titles and names in all languages',
  'POST /api/search': 'Search other catalogues and the reference data with AI',
  'GET /api/search/entries': 'Get entries by id as they are in the search index',
  'GET /api/search/index': 'Get the state of the search index',
  'POST /api/search/index': 'Rebuild the search index',
  'GET /api/findings': 'Count entries by finding',
  'GET /api/findings/marks': 'Get the findings of several entries by language, or those with one code',
  'GET /api/findings/:id': 'Get the findings of an entry',
  'GET /api/findings/:id/decisions': 'List who has dismissed findings of an entry, and undone that',
  'POST /api/findings/dismiss': 'Dismiss a finding: it is not a problem',
  'DELETE /api/findings/dismiss': 'Undo the dismissal of a finding',
  'GET /api/comments': 'List the comments on an entry',
  'POST /api/comments': 'Comment on an entry',
  'GET /api/comments/counts': 'Count the open comments on several entries',
  'PUT /api/comments/:id': 'Change, resolve or reopen a comment',
  'DELETE /api/comments/:id': 'Delete a comment',
  'GET /api/users/invite': 'Get whether invitations can be emailed',
  'POST /api/users/invite': 'Invite a user by email',
  'POST /api/users/:id/invite': 'Send an invitation again',
  'GET /api/views': 'List saved views',
  'POST /api/views': 'Save a view: the filters of a list',
  'GET /api/views/:id': 'Get a saved view',
  'PUT /api/views/:id': 'Change a saved view',
  'DELETE /api/views/:id': 'Delete a saved view',
  'POST /api/work/claim': 'Reserve the next entries of a list to work on',
  'POST /api/work/release': 'Release reserved entries',
  'GET /api/work/suggestions': 'Suggest a text in a language, without AI',
  'GET /api/languages': 'List the languages of the catalogue',
  'GET /api/languages/fold': 'Preview moving all texts of a language to another one',
  'POST /api/languages/fold': 'Move all texts of a language to another one, as one batch',
  'GET /api/characters/media/:id': 'List the characters of a media item',
  'GET /api/characters/:id/media': 'List the media in which a character appears',
  'POST /api/tags/:id/replace': 'Replace a tag with another one wherever it is used',
  'POST /api/assets': 'Upload an image, a video or a sound as a form',
  'POST /api/assets/image': 'Upload an image as a form',
  'PUT /api/assets/:id/file': 'Replace the file of an asset; its id, name and uses stay',
  'POST /api/assets/:id/retry': 'Process a file again that could not be processed',
  'POST /api/assets/unused/trash': 'Move unused assets to the trash',
  'POST /api/assets/unused/restore': 'Restore assets that were moved to the trash as unused',
  'POST /api/uploads': 'Begin an upload in parts, of a new asset or in place of the file of one',
  'GET /api/uploads/:id': 'Get how much of an upload has arrived',
  'PATCH /api/uploads/:id': 'Send the next part of an upload; the response to the last one names the asset',
  'DELETE /api/uploads/:id': 'Cancel an upload',
  'GET /api/ratings/media/:id': 'List the ratings of a media item',
  'GET /api/translation-history/recent': 'List changes to translations, newest first',
  'GET /api/translation-history/statistics': 'Count changes to translations',
  'POST /api/translation-history/rollback/:id': 'Roll back a change to a translation',
  'POST /api/translation-history/rollback': 'Roll back several changes to translations',
  'GET /api/revisions': 'List the versions of an entry',
  'GET /api/revisions/:id': 'Get a version, with what it changed',
  'POST /api/revisions/:id/restore': 'Write the values of a version again',
  'GET /api/notifications': 'List the notifications of the signed-in user',
  'POST /api/notifications/read': 'Mark notifications as read',
  'GET /api/notifications/stream': 'Follow notifications, changes of entries and who else edits them',
  'POST /api/score-permissions/preview': 'Preview who would gain or lose permissions by a change of a tier',
  'GET /api/trash': 'List deleted entries',
  'DELETE /api/trash/:kind/:id': 'Delete an entry in the trash permanently',
  'GET /api/batches': 'List batches',
  'GET /api/batches/:id': 'Get a batch, with its progress',
  'GET /api/batches/:id/results': 'List what a batch did to each entry',
  'GET /api/batches/:id/stream': 'Follow the progress of a batch',
  'POST /api/batches/:id/cancel': 'Cancel a batch; what it has written stays',
  'POST /api/batches/:id/rollback': 'Undo a batch with another one',
  'GET /api/imports': 'List imports',
  'POST /api/imports': 'Upload a CSV, TSV, Excel or JSON Lines file to import; nothing is written yet',
  'GET /api/imports/:id': 'Get an import, with a page of its rows',
  'DELETE /api/imports/:id': 'Delete an import; what it has written stays',
  'GET /api/imports/:id/stream': 'Follow the progress of an import',
  'PUT /api/imports/:id/mapping': 'Set which column is which field, and check all rows again',
  'PUT /api/imports/:id/cells': 'Correct cells, and check all rows again',
  'POST /api/imports/:id/apply': 'Write the rows of an import whose state is ready, as one batch',
  'POST /api/imports/:id/cancel': 'Cancel an import; what it has written stays',
  'GET /api/imports/:id/refused': 'Download the refused rows with the reasons, as CSV',
  'GET /api/settings': 'Get the settings',
  'PUT /api/settings': 'Change sections of the settings',
  'POST /api/settings/mail/test': 'Send a test email',
  'POST /api/settings/ai/test': 'Test the connection to an AI service',
  'GET /api/settings/storage': 'Get how much is stored',
  'GET /api/settings/about': 'Get versions, servers, licences and attributions',
  'GET /api/site': 'Get the name of the site',
  'GET /api/jobs': 'List background jobs',
  'POST /api/jobs/:id/retry': 'Start a queued or failed job now',
  'POST /api/jobs/:id/cancel': 'Cancel a job',
  'GET /api/audit': 'List entries of the audit log',
  'GET /api/audit/state': 'Get whether the audit log is intact, as last verified',
  'POST /api/audit/verify': 'Verify the audit log',
  'GET /api/audit/export': 'Export the audit log',
  'GET /api/ai/status': 'Get which AI service answers, and what is left of its limits',
  'GET /api/ai/process': 'Suggest better and missing translations',
  'POST /api/ai/process': 'Suggest better and missing translations of texts that are too long for a URL',
  'GET /api/ai/process-media2': 'Suggest a media item by its topic',
  'POST /api/ai/process-standard': 'Standardize the translations of several media',
  'POST /api/ai/match-characters': 'Find the characters of the catalogue that match described ones',
  'POST /api/ai/create-media': 'Create a media item with its characters, tags and cover from a suggestion',
  'PUT /api/translations/media/batch': 'Save the translations of several media',
}

/** What a call does, in a few words. Throws for a call without a summary. */
export function summaryOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const known = SUMMARIES[`${method} ${path}`]
  if (known !== undefined) return known
  for (const kind of KINDS) {
    const area = pathOf(kind)
    const summary = path.startsWith(area) && OF_KIND[`${method} ${path.slice(area.length)}`]
    if (summary) return summary(...nounsOf(kind))
  }
  throw new Error(`${method} ${path} has no summary in openapiTexts.ts`)
}

const AREAS: Record<string, string> = {
  auth: 'Signing in and out, and the account of the signed-in user.',
  dashboard: 'What is left to do in the catalogue.',
  admin: 'Counts and the latest activities, for the dashboard.',
  activities: 'What happened in the catalogue.',
  search: 'Searching everything by name, and the search index.',
  findings: 'What the checks found wrong with entries, and dismissing it.',
  comments: 'Discussions on entries.',
  views: 'Saved filters of lists, private or shared.',
  work: 'Working through a list: reserving its entries, and suggested texts.',
  languages: 'The languages of the catalogue, and moving texts from one to another.',
  assets: 'Images, videos and sounds.',
  uploads: 'Uploads in parts, which continue after a lost connection.',
  ratings: 'Scores and reviews of media by users.',
  'translation-history': 'Changes to texts by language and field, and undoing them.',
  revisions: 'The versions of every entry, and restoring them.',
  users: 'Accounts and invitations.',
  notifications: 'Notifications of the signed-in user, and the stream of changes.',
  'score-permissions': 'Tiers: which permissions a user has, by score.',
  trash: 'Deleted entries, until they are deleted permanently.',
  batches: 'Bulk changes: their progress, their results and undoing them.',
  imports: 'Files whose rows become entries, with a preview.',
  settings: 'Settings of the site, email, storage and AI.',
  site: 'What is shown before signing in.',
  jobs: 'Work in the background.',
  audit: 'The audit log, whose entries are chained by their hashes.',
  ai: 'Suggestions by AI, as event streams, and saving them.',
  translations: 'Saving texts of several media at once.',
}

/** What an area is about, in a sentence. Throws for an area without one. */
export function areaTextOf(area: string): string {
  const kind = KINDS.find((each) => pathOf(each) === `/api/${area}`)
  const text = AREAS[area] ?? (kind && `Listing, reading and changing ${nounsOf(kind)[1]}.`)
  if (text === undefined) throw new Error(`The area ${area} has no description in openapiTexts.ts`)
  return text
}

/** Query parameters whose schema does not say what they mean. */
export const PARAMETERS: Record<string, string> = {
  search: 'Words of a title or name in any language.',
  userId: 'Only what this user created or changed recently.',
  createdBy: 'Only what this user created.',
  finding: 'Only entries with this finding: its code, or code and language, such as `missing:zh-Hans`.',
  language: 'A BCP 47 language tag, such as `en` or `zh-Hans`.',
  missing: 'Only entries without a title or name in this language, a BCP 47 tag.',
  updatedSince: 'Only entries written at or after this moment, in ISO 8601.',
  tags: 'Ids of at most 50 tags, separated by commas.',
  tagsMode: 'Whether entries have any (the default), all or none of `tags`.',
  from: 'The first day, in UTC, such as `2026-01-05`.',
  to: 'The last day, in UTC, such as `2026-01-05`.',
  ids: 'Ids, separated by commas.',
  columns: 'The columns of a table, separated by commas: paths of fields, such as `_id` or `translations.en.title`.',
  bom: 'Whether a table starts with a byte order mark, which some spreadsheets need.',
  sort: 'A column, with a minus for descending. The default is `relevance` while searching, otherwise newest first.',
  relatedTo: 'Only what is used by this entry, as JSON: `{"model":"MEDIA","id":"…"}`.',
}

/** Schemas whose limits do not say what they are. */
export const SCHEMAS: Record<string, string> = {
  BooleanParam: 'True or false, as text.',
  Id: 'An id, as a response returned it.',
  Language: 'A BCP 47 language tag, such as `en` or `zh-Hans`; stored in canonical form.',
  LanguageTag: 'A BCP 47 language tag, such as `en` or `zh-Hans`; stored in canonical form.',
  Ref: 'An id, or an object with an `_id`, as a response returned it.',
  CoverRef: 'The id of an image, or an object with its `_id`; an empty text or null for none.',
  Timestamp: 'A moment in ISO 8601 with a time zone, such as `2026-01-05T00:00:00Z`; stored in UTC.',
  Names: 'Alternative names; empty ones are refused, and repeated ones dropped.',
}

/** The headers that requests and responses have, beyond those of HTTP itself. */
export const HEADERS: Record<string, string> = {
  'AI-Runs':
    'The ids of the AI runs from which parts of the body come, separated by commas, so that the history names AI as their origin.',
  'Content-Disposition': 'The name of the file.',
  'Drop-Links':
    'The ids of entries in the trash whose links the body leaves out on purpose, separated by commas. Other links to the trash stay, although responses do not show them.',
  ETag: 'The version, in quotes; a hash may follow it. `If-Match` and `If-None-Match` take it as it is.',
  'Idempotency-Key': 'Names the request: repeated with the same key and body or file, it creates nothing again.',
  'If-Match': 'The version that was read, such as `"3"`, or its `ETag`. Without it, the call replaces any version.',
  'If-None-Match': 'The `ETag` that was read: an unchanged response is then a 304 without a body.',
  'Last-Event-ID': 'The last event that was received: those that were missed come first.',
  Location: 'The address of the same call for the entry that is now there instead.',
  'Retry-After': 'The number of seconds after which a retry makes sense.',
  'Upload-Offset': 'The number of bytes that have arrived: where the next part begins.',
  'WWW-Authenticate': 'Always `Bearer`.',
  'X-Request-Id': 'The id of the request in the log of the server.',
  'X-Search-Words': '`most` if no entry has all words, and the hits have most of them.',
  'X-Total-Count': 'The number of entries on all pages: exact up to 10,000, then `10000+`.',
}
