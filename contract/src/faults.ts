// What is wrong with a value, as a sentence that a person can act on. Nothing of the schema library's own wording is
// shown: every issue becomes a code with its params, and each language has one sentence per code.
import type * as z from 'zod/mini'
import type { Fault } from './call.ts'

/** The English sentences by code. A schema gives one of these as its message, or none; `{limit}` is a param. */
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
  unknown: 'Is not a field of this',
  form: 'Does not have the right form',
  moment: 'Must be a date and time, such as 2026-01-05T00:00:00Z',
  address: 'Must be a web address, such as https://example.org',

  jsonFormat: 'Invalid JSON format',
  characters: 'Holds characters that are not text',
  emailRequired: 'Email is required',
  emailInvalid: 'Invalid email address',
  passwordRequired: 'Password is required',
  passwordShort: 'At least 8 characters',
  passwordLong: 'At most 200 characters',
  nameRequired: 'Name is required',
  scoreNegative: 'Score must be non-negative',
  scoreSteps: 'Must be in steps of 0.1',
  color: 'Must be a hash followed by six hex digits',
  topic: 'Please enter a topic',
  reason: 'Please enter a reason',
  selectMedia: 'Please select a media first',
  nothingToSave: 'No standardized data to save',
  nothingToEnhance: 'No translations to enhance',
  languageTag: 'Not a language tag, such as en or zh-Hans',
  languageTwice: 'The same language is given twice',
  languagesMany: 'At most 100 languages',
  languagesNone: 'At least one language',
  languageOther: 'Must be one of the languages',
  plainText: 'Must be plain text',
  baseUrl: 'Must be an http or https address without a password',
  relation: 'Must be JSON with model and id',
  byOrBatch: 'Needs either by or batch',
  noTitle: 'Holds no title',

  notThere: 'There is no {kind} with the id {id}',
  otherTag: 'Must be another tag',
  ownParent: 'A tag cannot be its own parent, nor the parent of one above it',
  emptyFile: 'The file is empty',
  partOfFile: 'The file did not arrive whole',
  noFile: 'No file was sent',
  notInRevision: 'The revision has nothing there',
} as const

export type FaultCode = keyof typeof SENTENCES
export type FaultParams = NonNullable<Fault['params']>

const CODES = new Map<string, FaultCode>(
  Object.entries(SENTENCES).map(([code, sentence]) => [sentence, code as FaultCode]),
)

/** The code of an English sentence that a schema was given; undefined for any other. */
export const codeOf = (message: string): FaultCode | undefined => CODES.get(message)

/** A sentence with its params put in; `and` stands between values. */
export const filled = (sentence: string, params: FaultParams = {}, and = ', '): string =>
  sentence.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name as keyof FaultParams] : ''
    return Array.isArray(value) ? value.join(and) : String(value)
  })

/** A fault at a path, with its English sentence. */
export const fault = (path: readonly PropertyKey[] | string, code: FaultCode, params?: FaultParams): Fault => ({
  path: typeof path === 'string' ? path : path.map(String).join('.'),
  message: filled(SENTENCES[code], params),
  code,
  ...(params && { params }),
})

/** What is wrong with `value`, for which parsing failed: one fault per path, in the order of the schema, `most` at most. */
export function faultsOf(error: z.core.$ZodError, value: unknown, most = Infinity): Fault[] {
  const byPath = new Map<string, Fault>()
  for (const issue of error.issues) {
    for (const each of faultsIn(issue, [], value, most)) if (!byPath.has(each.path)) byPath.set(each.path, each)
    if (byPath.size >= most) break
  }
  return [...byPath.values()].slice(0, most)
}

/** `path: message`, or the message alone where it is about the whole. */
export const lineOf = ({ path, message }: Fault): string => (path ? `${path}: ${message}` : message)

/** The lines `path: message` of a failed parse. */
export const issueLines = (error: z.core.$ZodError, value: unknown): string[] => faultsOf(error, value).map(lineOf)

function faultsIn(issue: z.core.$ZodIssue, above: readonly PropertyKey[], whole: unknown, most: number): Fault[] {
  const path = [...above, ...issue.path]
  const own = CODES.get(issue.message)
  if (own) return [fault(path, own)]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, most).map((key) => fault([...path, key], 'unknown'))
  const value = valueAt(whole, path)
  if (value === undefined) return [fault(path, path.length > 0 ? 'missing' : 'noData')]
  const inner = innerIssues(issue)
  if (inner) return inner.flatMap((each) => faultsIn(each, path, whole, most))
  // A sentence that a schema says itself, and that has no code: a check of our own always says one.
  if (issue.code === 'custom' && issue.message !== 'Invalid input')
    return [{ path: path.map(String).join('.'), message: issue.message }]
  return [fault(path, ...codeIn(issue))]
}

/** What is wrong inside, for issues that only say that something is. */
function innerIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] | undefined {
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') return issue.issues
  if (issue.code !== 'invalid_union') return undefined
  // Of several forms, the one that the value nearly has; else the first, which is the one to write.
  const near = issue.errors.find(([first]) => first && (first.code !== 'invalid_type' || first.path.length > 0))
  return near ?? issue.errors[0]
}

const TYPES: Partial<Record<string, FaultCode>> = {
  string: 'text',
  number: 'number',
  int: 'whole',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  record: 'object',
}
const FORMATS: Partial<Record<string, FaultCode>> = { email: 'emailInvalid', datetime: 'moment', url: 'address' }

function codeIn(issue: z.core.$ZodIssue): [FaultCode, FaultParams?] {
  switch (issue.code) {
    case 'invalid_type':
      return [TYPES[issue.expected] ?? 'form']
    case 'invalid_value':
      return ['oneOf', { values: issue.values.map(String) }]
    case 'invalid_format':
      return [FORMATS[issue.format] ?? 'form']
    case 'not_multiple_of':
      return ['step', { limit: issue.divisor }]
    case 'too_small':
      return lowerBound(issue)
    case 'too_big':
      return upperBound(issue)
    default:
      return ['form']
  }
}

function lowerBound({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): [FaultCode, FaultParams?] {
  const limit = Number(minimum)
  const isSized = origin === 'string' || origin === 'array'
  if (isSized && limit === 1) return ['empty']
  if (origin === 'string') return ['tooShort', { limit }]
  if (origin === 'array') return ['tooFew', { limit }]
  return [inclusive === false ? 'moreThan' : 'tooSmall', { limit }]
}

function upperBound({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): [FaultCode, FaultParams?] {
  const limit = Number(maximum)
  if (origin === 'string') return ['tooLong', { limit }]
  if (origin === 'array') return ['tooMany', { limit }]
  return [inclusive === false ? 'lessThan' : 'tooLarge', { limit }]
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? at[step as keyof typeof at] : undefined,
    value,
  )
