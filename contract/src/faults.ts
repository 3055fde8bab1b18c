// Validation errors as sentences that a person can act on. The schema library's own messages are never shown: every
// issue becomes a code with params, and each language has one sentence per code.
import type { FieldError } from './call.ts'

/** The English sentences by code. A schema uses one of these as its message, or none; `{limit}` is a param. */
export const SENTENCES = {
  noData: 'Please provide valid JSON data.',
  missing: 'Is missing',
  empty: 'Must not be empty',
  text: 'Must be text',
  number: 'Must be a number',
  whole: 'Must be a whole number',
  boolean: 'Must be true or false',
  list: 'Must be a list',
  object: 'Must be an object',
  tooShort: 'Must be at least {limit} characters',
  tooLong: 'Must be at most {limit} characters',
  tooFew: 'Must have at least {limit} entries',
  tooMany: 'Must have at most {limit} entries',
  tooSmall: 'Must be at least {limit}',
  tooLarge: 'Must be at most {limit}',
  moreThan: 'Must be more than {limit}',
  lessThan: 'Must be less than {limit}',
  step: 'Must be in steps of {limit}',
  oneOf: 'Must be one of {values}',
  unknown: 'Unknown field',
  form: 'Has the wrong format',
  moment: 'Must be a date and time, such as 2026-01-05T00:00:00Z',
  day: 'Must be a date, such as 2026-01-05',
  address: 'Must be a web address, such as https://example.org',
  finding: 'Must be a finding, such as missing or missing:zh-Hans',
  tagsMany: 'At most 50 tags',

  jsonFormat: 'Invalid JSON format',
  characters: 'Contains invalid or control characters',
  emailRequired: 'Email is required',
  emailInvalid: 'Invalid email address',
  passwordRequired: 'Password is required',
  passwordShort: 'At least 8 characters',
  passwordLong: 'At most 200 characters',
  passwordCommon: 'This password is one of the most common ones. Please choose another',
  passwordPersonal:
    'A password must not contain the username or the part of the email address before the @. Please choose another',
  usernameUnseen: 'A username cannot contain control or invisible characters',
  usernameBlank: 'A username needs a letter, a digit or another visible character',
  usernameSpaces: 'A username cannot start or end with a space, or have two in a row',
  avatarOwn: 'Must be the address of a public image in this catalogue, or empty',
  nameRequired: 'Name is required',
  scoreNegative: 'Score must be non-negative',
  scoreSteps: 'Must be in steps of 0.1',
  commentRequired: 'Please write a comment',
  color: 'Must be a hash followed by six hex digits',
  topic: 'Please enter a topic',
  reason: 'Please enter a reason',
  selectMedia: 'Please select a media first',
  nothingToSave: 'No standardized data to save',
  nothingToEnhance: 'No translations to enhance',
  languageTag: 'Invalid language tag. Use one such as en or zh-Hans, or art-x-name for a language without a code',
  languageTwice: 'The same language is given twice',
  languagesMany: 'At most 100 languages',
  entityLarge: 'An entry can have at most 1 MB',
  filtersMany: 'At most 30 filters',
  picksMany: 'At most 2000 decisions',
  otherEntry: 'Must be another entry',
  columnsMany: 'At most 500 columns',
  columns: 'Must be columns of the export',
  viewsShared: 'At most {limit} views can be shared',
  viewsMany: 'At most {limit} views can be kept; delete one first',
  languagesNone: 'At least one language',
  languageOther: 'Must be one of the languages',
  languageFamily: 'Must be another variant of the same language',
  plainText: 'Must be plain text',
  keptDays: 'Must be 0 (forever), or from 30 to 36,500 days',
  keptAuditDays: 'Must be 0 (forever), or from 90 to 36,500 days',
  baseUrl: 'Must be an http or https address without a password',
  relation: 'Must be JSON with model and id',
  byOrBatch: 'Give either “by” or “batch”, not both',
  idsOrFilter: 'Give either “ids” or “filter”, not both',
  noChange: 'Please give at least one change',
  actionAlone: 'Deleting and restoring cannot be combined with other changes',
  noTitle: 'Has no title',
  cellCut:
    'A cell of a workbook holds only the beginning of this text. Leave the cell as it was exported, or change the text in a CSV or NDJSON file',

  notThere: 'There is no {kind} with the id {id}',
  otherTag: 'Must be another tag',
  ownParent: 'A tag cannot be its own ancestor',
  emptyFile: 'The file is empty',
  partOfFile: 'The upload was interrupted',
  noFile: 'No file was sent',
  notInRevision: 'The revision has no value at this path',
} as const

export type FaultCode = keyof typeof SENTENCES
export type FaultParams = NonNullable<FieldError['params']>

const CODES = new Map<string, FaultCode>(
  Object.entries(SENTENCES).map(([code, sentence]) => [sentence, code as FaultCode]),
)

/** The code of a sentence in SENTENCES; undefined for any other text. */
export const codeOf = (message: string): FaultCode | undefined => CODES.get(message)

/** A sentence with its params filled in; several values are joined by `and`. */
export const filled = (sentence: string, params: FaultParams = {}, and = ', '): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name as keyof FaultParams] : ''
    return Array.isArray(value) ? value.join(and) : String(value)
  })

/** A validation error at a path, with its English sentence. */
export const fieldError = (
  path: readonly PropertyKey[] | string,
  code: FaultCode,
  params?: FaultParams,
): FieldError => ({
  path: typeof path === 'string' ? path : path.map(String).join('.'),
  message: filled(SENTENCES[code], params),
  code,
  ...(params && { params }),
})
