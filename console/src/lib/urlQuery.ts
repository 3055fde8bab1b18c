import * as z from 'zod/mini'

/** Parses URL parameters with the contract's query schema; unknown and invalid ones are ignored. */
export function readUrl<S extends z.ZodMiniObject>(schema: S, search: Readonly<Record<string, unknown>>): z.output<S> {
  const bad = invalidIn(schema, search)
  return z.parse(schema, Object.fromEntries(Object.entries(search).filter(([key]) => !bad.has(key))))
}

/** The names of the URL parameters that are invalid, or unknown to a strict schema. */
export function invalidIn(schema: z.ZodMiniObject, search: Readonly<Record<string, unknown>>): Set<string> {
  const { error } = z.safeParse(schema, search)
  const names = error?.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : issue.path.slice(0, 1),
  )
  return new Set(names?.map(String))
}

/** URL parameters for a state; values that equal the schema's default are left out. */
export function writeUrl(schema: z.ZodMiniObject, state: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const defaults: Record<string, unknown> = z.parse(schema, {})
  return Object.fromEntries(Object.entries(state).filter(([key, value]) => value !== defaults[key]))
}
