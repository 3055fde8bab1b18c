// Why the server refuses a call: English sentences, each with a code. Stored data and responses contain the English
// sentence; to translate it, the console looks up its code here. It loads this table together with its Chinese texts.
import { type DenialCode, DENIALS } from './denials.ts'
import { type FaultCode, SENTENCES } from './faults.ts'

/**
 * The English sentences by code; `{name}` is a param. One that comes with a 429 or 5xx does not add "try again later":
 * the sentence for that status, which is shown before it, and the header Retry-After say so.
 */
export const REASONS = {
  signIn: 'Please sign in.',
  signInFailed: 'Login failed. Please check your credentials.',
  currentPasswordWrong: 'The current password is incorrect.',
  passwordWrong: 'This password is incorrect.',
  passwordAgain: 'Please enter your password again to do this.',
  sessionEnded: 'The session ended during the upload.',
  linkInvalid: 'This link is no longer valid. Request a new one.',
  linkExpired: 'This link has expired. Open the file from its page again.',
  denied: 'Access denied. You do not have permission for this action.',
  notFound: 'Resource not found.',
  tooManyCalls: 'Too many requests. Please try again later.',
  failed: 'Server error. Please try again later.',

  malformed: 'The request is malformed.',
  malformedAddress: 'The address is malformed.',
  methodNotAllowed: 'This address does not support this method.',
  malformedForm: 'The form is malformed.',
  formLong: 'A form holds one file and at most {limit} other fields.',
  etag: 'Must be the ETag of the entity',
  partOffset: 'Must be the byte offset at which this part starts',
  requestSlow: 'This request took too long to arrive.',
  requestLarge: 'The request is too large.',
  manyValues: 'The request contains more than {limit} values.',
  manyKeys: 'An object in the request has more than {limit} keys.',
  deepValues: 'The request is nested deeper than {limit} levels.',
  addressLong: 'This address is too long.',
  headersLarge: 'The request headers are too large.',
  contentType: 'Unsupported content type.',
  contentEncoding: 'The request body must not be compressed.',
  hostUnknown:
    'This server does not answer to the name “{host}”. Its operator can add the name to ALLOWED_HOSTS, or set it in PUBLIC_URL.',

  fileMissing: 'Please send a file in the field {field}.',
  fileEmpty: 'This file is empty.',
  fileType:
    'This kind of file is not accepted. Send an image (JPEG, PNG, GIF, WebP, AVIF), ' +
    'a video (MP4, WebM, MOV) or audio (MP3, M4A, OGG, WAV, FLAC, AAC).',
  onlyPictures: 'Only images are accepted here: JPEG, PNG, GIF, WebP or AVIF.',
  replacesImage: 'An image can only be replaced with another image. Upload this file as a new asset instead.',
  replacesVideo: 'A video can only be replaced with another video. Upload this file as a new asset instead.',
  replacesAudio: 'An audio file can only be replaced with another audio file. Upload this file as a new asset instead.',
  fileLargeForTier: 'This file is too large. Your tier “{tier}” allows up to {limit} MB.',
  fileLarge: 'This file is too large. The server allows up to {limit} MB.',
  fileCostly: 'This file cannot be read: examining it takes too much time or memory.',
  filePartsMany: 'This file has too many parts for its size to be read.',
  fileBroken: 'The file is damaged or incomplete and cannot be decoded.',
  fileUnfit: 'The file takes too much time or memory to process. Try again, or upload it in another format.',
  fileGone: 'The file is no longer on the server.',
  fileCancelled: 'Processing was cancelled. Try again.',
  notImage: 'This file is not a readable image.',
  notRecording: 'This file is not readable video or audio.',
  imagePixels: 'This image has {width} × {height} pixels; the limit is 100 million pixels.',
  imagePixelsInFrames: 'This image has {width} × {height} pixels in {frames} frames; the limit is 100 million pixels.',
  imageDense: 'This image has {width} × {height} pixels; too many for so small a file.',
  imageDenseInFrames: 'This image has {width} × {height} pixels in {frames} frames; too many for so small a file.',
  formExpected: 'Send the file as multipart/form-data, in the field {field}.',
  partExpected: 'Send parts with Content-Type {type}.',
  partInProgress: 'Another part of this upload is still in progress. Wait for it, then retry.',
  partsMany: 'An upload has at most {limit} parts. Start it again with larger ones.',
  partMisplaced: 'Upload-Offset does not match. Continue at the offset in this response.',
  uploadLarger: 'The upload is larger than the size declared when it started.',
  uploadSlow: 'The upload took too long. Send the file again.',
  uploadInterrupted: 'The upload was interrupted. Send the file again.',
  uploadLimit: 'You have reached the limit of {limit} uploads a day. Send the rest after midnight UTC.',
  onlyFailed: 'Only failed assets can be processed again.',

  // Also of what has no conflicts to resolve, such as a delete.
  stale:
    'This has been changed since you opened it, by someone else or in another window. Nothing was saved. Check what it contains now, and try again.',
  writeLimit: 'You have reached your daily limit for changes. It resets at midnight UTC.',
  rolledBack: 'This change has already been rolled back.',
  versionNotKept: 'The version before this change is no longer kept, so it cannot be rolled back.',
  textChanged: 'The text has changed since then. Nothing was rolled back.',
  inTrash: 'This item is in the trash. Restore it first.',
  purged: 'This item has been permanently deleted.',
  rollbackForbidden: 'Only the author of the change, moderators and administrators can roll it back.',
  changedSince: 'Others have changed this since then. Their changes were kept.',
  accountInactive: 'The account was not active at that time.',
  batchesMany: 'You have {limit} batches that are not finished. Wait for one of them, or cancel one.',
  batchEnded: 'This batch is already finished.',
  jobFinished: 'This job is already finished.',
  jobRepeated: 'This job repeats every day, so it cannot be cancelled.',
  jobNotStartable: 'Only waiting or failed jobs can be started.',
  exportsOpen: 'You are already downloading other exports. Wait until one has finished.',
  importKind: 'State in the field entityType what the rows are: Media, Character, Tag or Translation.',
  importLarge: 'This file is too large. An import can have up to {limit} MB.',
  importRows: 'This file has too many rows. An import can have up to {limit}.',
  importColumns: 'This file has too many columns. An import can have up to {limit}.',
  importCell: 'Row {row} has a cell with too much text. A quotation mark may be missing.',
  importNone: 'This file has no rows. It needs a row of headers, and one below it.',
  importFormat: 'This file cannot be imported. Send a CSV, TSV, XLSX or NDJSON file.',
  importLines:
    'This JSON is a list, or is spread over several lines. Save it with one object per line (NDJSON), without brackets and commas around the objects.',
  importEncoding: 'The encoding of this file is unknown. Save it as UTF-8 and send it again.',
  importWorkbook: 'This workbook is damaged and cannot be read. Save it again, or as CSV.',
  importInflated: 'This workbook is too large when unpacked. Save it as CSV, or split it.',
  importsMany: 'You have {limit} imports that are not finished. Wait for one of them, or cancel one.',
  importBusy: 'This import is still running. Wait for it, or cancel it first.',
  importUnready: 'This import is not ready. Wait until all of its rows are checked.',
  importApplied: 'This import has already been applied. Send the file again to repeat it.',
  importEnded: 'This import is not running.',
  importCosts: 'This file cannot be imported: reading it takes too much time or memory.',
  importHeader: 'There is no column with this header',
  importRow: 'There is no row with this number, or it cannot be read',
  importField: 'Must be a field that can be imported',
  importFieldTwice: 'Another column goes to the same field',
  noneCalled: 'No entry is called “{name}”',
  severalCalled: 'Several entries are called “{name}”. Enter the _id',
  cellError: 'Is a spreadsheet error. Correct the formula, or enter the value; an apostrophe in front makes it text',
  cellFormula: 'Is a formula without a result. Open and save the workbook in a spreadsheet program, or enter the value',
  decimal: 'Must be a number in digits, with a point before decimals, such as 1500 or 24.5',
  numberUnclear:
    'Can mean thousands or decimals. Write thousands without a separator, such as 1500, and decimals with a point and not exactly three digits, such as 1.5',
  rowJson: 'This line is not a JSON object.',
  rowCells: 'This row has more cells than there are headers.',
  rowUnknown: 'There is no entry with this _id. Leave the cell empty to create one.',
  rowNoEntry: 'There is no entry with this _id.',
  rowTwice: 'Row {row} has the same _id.',
  rowTextTwice: 'Row {row} has the same _id and language.',
  rowLikely: 'An entry that is probably the same has been added since the check.',
  rowNoId: 'A translation needs the _id of its entry.',
  batchUnfinished: 'This batch is not finished. Wait for it, or cancel it first.',
  changesMany: 'There are more than {limit} changes. Please choose a shorter time.',
  foldMany: 'More than {limit} entities have texts in this language. Fold them with the command languages.',
  usesMany: 'More than {limit} entities use this tag',
  mergeLarge:
    'More than {limit} ratings and entries would change. Merge the other way round, into the one that is used more.',
  mergedAway: 'This entry was merged into another one. Reload to see that one.',
  mergedTrash: 'This entry was merged into another one. Undo the merge to get it back.',
  mergeStale:
    'The entry to be merged has been changed since you opened it. Nothing was merged. Check what it contains now, and try again.',
  mergeUndone: 'This merge has already been undone.',
  mergeExpired: 'This merge can no longer be undone: the merged entry has been permanently deleted.',
  mergeChained: 'The entry that this was merged into has since been merged again. Undo that merge first.',
  mergeAgain: 'Undoing a merge cannot be undone. Merge the entries again instead.',
  picturesMany: 'At most {limit} images are fetched for one media item',
  sourcesSilent: 'The sources know nothing about it in these languages.',
  noneSaved: 'None of the media items could be saved',

  defaultTierDelete: 'Cannot delete the default permission tier',
  defaultTierChange: 'The default permission tier stays active, with a required score of 0.',
  tiersMany: 'There are already {limit} tiers, the maximum. Delete one first.',
  scoreTaken: 'The tier “{tier}” already has the required score {score}.',
  lastAdmin: 'You cannot demote, deactivate or delete the last active administrator.',
  oneself: 'You cannot deactivate or delete your own account.',
  emailTaken: 'This email address is already in use.',
  usernameTaken: 'This username is already taken.',
  usernameAlike: 'This username is, or looks like, one that another account has or had. Choose another.',
  rated: 'You have already rated this media item. Change that rating instead.',
  invitationAccepted: 'This account already has a password.',
  invitationInactive: 'This account is not active. Activate it, then send the invitation.',
  commentsDaily: 'You have reached the limit of {limit} comments a day. It resets at midnight UTC.',
  commentsMany: 'This entry already has {limit} comments, the maximum. Delete one first.',
  commentLong: 'A comment has at most {limit} characters.',
  commentMarkup: 'A comment is plain text, without markup.',
  commentLinks: 'A comment is plain text, without links.',

  diskFull: 'The server’s disk is full. Free some space and try again.',
  diskReadOnly: 'The server’s disk is not writable.',
  diskBroken: 'The server’s disk cannot be read or written.',
  databaseGone: 'The database is unavailable.',
  databaseReadOnly: 'The database is read-only at the moment.',
  serverBusy: 'The server is busy.',
  storageGone: 'File storage is unavailable.',
} as const

export type ReasonCode = keyof typeof REASONS

/** The param names in a sentence, as a type. */
type ParamsIn<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsIn<Rest>
  : never

type ParamNames<Code extends ReasonCode> = ParamsIn<(typeof REASONS)[Code]>
type Params<Code extends ReasonCode> = [ParamNames<Code>] extends [never]
  ? []
  : [params: Record<ParamNames<Code>, string | number>]

/** The English sentence of a reason, with its params filled in. */
export const reasonText = <Code extends ReasonCode>(code: Code, ...[params]: Params<Code>): string =>
  withParams(REASONS[code], params ?? {})

/** A sentence with its params filled in; missing params become ''. */
export const withParams = (sentence: string, params: Record<string, string | number>): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))

type SentenceCode = ReasonCode | DenialCode | FaultCode

interface Pattern {
  code: SentenceCode
  names: string[]
  form: RegExp
}

/** All sentences except faults with params: those concern a single value, and are always sent with their code. */
const sentences = Object.entries({ ...SENTENCES, ...DENIALS, ...REASONS }).filter(
  ([code, sentence]) => !Object.hasOwn(SENTENCES, code) || !sentence.includes('{'),
) as [SentenceCode, string][]
const patterns: Pattern[] = sentences.map(([code, sentence]) => {
  const parts = sentence.split(/\{(\w+)\}/)
  const form = parts.map((part, at) => (at % 2 === 1 ? '(.*)' : part.replace(/[.?*+^$()|[\]\\]/g, '\\$&')))
  return { code, names: parts.filter((_, at) => at % 2 === 1), form: new RegExp(`^${form.join('')}$`, 's') }
})

/**
 * Finds the code and the params of an English sentence: a reason, a denial, or a fault without params.
 * Undefined for any other text.
 */
export function reasonIn(sentence: string): { code: SentenceCode; params: Record<string, string> } | undefined {
  for (const { code, names, form } of patterns) {
    const found = form.exec(sentence)
    if (found) return { code, params: Object.fromEntries(names.map((name, at) => [name, found[at + 1] ?? ''])) }
  }
  return undefined
}
