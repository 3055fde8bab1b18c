import * as z from 'zod/mini'

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
