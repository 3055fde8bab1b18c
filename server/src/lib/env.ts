import { resolve } from 'node:path'
import * as z from 'zod/mini'

const Port = z.coerce.number().check(z.int(), z.gte(0), z.lte(65_535))
const Switch = z.enum(['on', 'off'])

const Env = z.object({
  HOST: z._default(z.string(), '127.0.0.1'),
  PORT: z._default(Port, 3000),
  PUBLIC_URL: z.optional(z.url()),
  CONSOLE_ORIGIN: z.optional(
    z.string().check(z.regex(/^https?:\/\/[^/]+$/, 'must be an origin, such as https://console.example.org')),
  ),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//, 'must start with postgres://'))),
  ADMIN_EMAIL: z.optional(z.email()),
  ADMIN_PASSWORD: z.optional(z.string().check(z.minLength(8, 'must have at least 8 characters'))),
  AUTH_SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters'))),
  SAMPLE_CATALOGUE: z._default(Switch, 'off'),
  /** A demonstration: the first admin has a well-known password, printed at every start. */
  DEMO: z._default(Switch, 'off'),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
})
export type Env = z.output<typeof Env>

/**
 * The configuration, from environment variables (an empty one counts as unset).
 * Throws an Error whose message is one line naming the first variable that does not parse.
 */
export function readEnv(from: Record<string, string | undefined> = process.env): Env & { PUBLIC_URL: string } {
  const given = Object.fromEntries(Object.entries(from).filter(([, value]) => value))
  const parsed = Env.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}`)
  }
  const { HOST, PORT, DATA_DIR } = parsed.data
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST
  return { ...parsed.data, DATA_DIR: resolve(DATA_DIR), PUBLIC_URL: parsed.data.PUBLIC_URL ?? `http://${host}:${PORT}` }
}
