import * as z from 'zod/mini'

/** Parses URL parameters with the contract's query schema; unknown and invalid ones are ignored. */
export function readUrl<S extends z.ZodMiniObject>(schema: S, search: Readonly<Record<string, unknown>>): z.output<S> {
  const parsed = z.safeParse(schema, search)
  if (parsed.success) return parsed.data
  const bad = new Set(
    parsed.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : issue.path.slice(0, 1))),
  )
  return z.parse(schema, Object.fromEntries(Object.entries(search).filter(([key]) => !bad.has(key))))
}

/** URL parameters for a state; values that equal the schema's default are left out. */
export function writeUrl(schema: z.ZodMiniObject, state: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const defaults: Record<string, unknown> = z.parse(schema, {})
  return Object.fromEntries(Object.entries(state).filter(([key, value]) => value !== defaults[key]))
}
