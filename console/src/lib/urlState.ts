import * as z from 'zod/mini'

/** Plain `?a=b` addresses: every value stays text, so that a search for 123 keeps being text. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

/** The address of a state: keys sorted, empty values left out, so that one state has one address. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    if (value === undefined || value === null || value === '') continue
    params.set(key, typeof value === 'object' ? JSON.stringify(value) : `${value as string | number | boolean}`)
  }
  params.sort()
  const text = params.toString()
  return text && `?${text}`
}

/** What an address says, by the contract's own query schema; what it does not know, or cannot parse, counts as not given. */
export function readUrl<S extends z.ZodMiniObject>(schema: S, search: Readonly<Record<string, unknown>>): z.output<S> {
  const parsed = z.safeParse(schema, search)
  if (parsed.success) return parsed.data
  const bad = new Set(
    parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : issue.path.slice(0, 1))),
  )
  return z.parse(schema, Object.fromEntries(Object.entries(search).filter(([key]) => !bad.has(key))))
}

/** The address that holds a state: what equals the schema's default is left out. */
export function writeUrl(schema: z.ZodMiniObject, state: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const defaults: Record<string, unknown> = z.parse(schema, {})
  return Object.fromEntries(Object.entries(state).filter(([key, value]) => value !== defaults[key]))
}
