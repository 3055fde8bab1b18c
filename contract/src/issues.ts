// Converts the issues of a failed schema validation to field errors. Separate from faults.ts, to keep this code out of
// the bundle of the first screens.
import type * as z from 'zod/mini'
import type { FieldError } from './call.ts'
import { codeOf, fieldError, type FaultCode, type FaultParams } from './faults.ts'

/** The errors of `value`, which failed to parse: one per path, in the order of the schema, at most `limit`. */
export function toFieldErrors(error: z.core.$ZodError, value: unknown, limit = Infinity): FieldError[] {
  const byPath = new Map<string, FieldError>()
  for (const issue of error.issues) {
    for (const each of fieldErrorsOf(issue, [], value, limit)) if (!byPath.has(each.path)) byPath.set(each.path, each)
    if (byPath.size >= limit) break
  }
  return [...byPath.values()].slice(0, limit)
}

/** `path: message`, or the message alone if the path is empty. */
export const lineOf = ({ path, message }: FieldError): string => (path ? `${path}: ${message}` : message)

/** The errors of a failed parse as lines (`lineOf`). */
export const issueLines = (error: z.core.$ZodError, value: unknown): string[] => toFieldErrors(error, value).map(lineOf)

function fieldErrorsOf(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[],
  whole: unknown,
  limit: number,
): FieldError[] {
  const path = [...above, ...issue.path]
  const own = codeOf(issue.message)
  if (own) return [fieldError(path, own)]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, limit).map((key) => fieldError([...path, key], 'unknown'))
  const value = getPath(whole, path)
  if (value === undefined) return [fieldError(path, path.length > 0 ? 'missing' : 'noData')]
  const inner = innerIssues(issue, value)
  if (inner) return inner.flatMap((each) => fieldErrorsOf(each, path, whole, limit))
  // A custom check with a message that has no code.
  if (issue.code === 'custom' && issue.message !== 'Invalid input')
    return [{ path: path.map(String).join('.'), message: issue.message }]
  return [fieldError(path, ...codeIn(issue))]
}

/** The nested issues of an issue that only says that something inside it is invalid. */
function innerIssues(issue: z.core.$ZodIssue, value: unknown): z.core.$ZodIssue[] | undefined {
  if (issue.code === 'invalid_key' || issue.code === 'invalid_element') return issue.issues
  if (issue.code !== 'invalid_union') return undefined
  // Of the union's options, one that the value nearly matches, if possible one whose fields it has; otherwise the first,
  // which is the recommended form.
  const near = issue.errors.filter(([first]) => first && (first.code !== 'invalid_type' || first.path.length > 0))
  const complete = near.find((issues) => issues.every(({ path }) => getPath(value, path.slice(0, 1)) !== undefined))
  return complete ?? near[0] ?? issue.errors[0]
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
const FORMATS: Partial<Record<string, FaultCode>> = {
  email: 'emailInvalid',
  datetime: 'moment',
  date: 'day',
  url: 'address',
}

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

/** The value at a path; inside a text, which is JSON to be parsed, the whole text. */
const getPath = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((at, step) => {
    if (typeof at === 'string') return at
    return typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? at[step as keyof typeof at] : undefined
  }, value)
