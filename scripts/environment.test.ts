// Whoever runs the tests may have set variables for their own servers, databases and proxies.
import { execFileSync } from 'node:child_process'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllEnvs())

test('no variable for React, PostgreSQL, OpenTelemetry or a proxy changes the results of the tests', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  for (const name of ['PGSSLMODE', 'PGOPTIONS', 'OTEL_SDK_DISABLED']) vi.stubEnv(name, 'of whoever runs the tests')
  vi.stubEnv('no_proxy', 'intranet.example.org')
  await import('../vitest.config.ts')
  expect(process.env.NODE_ENV).toBe('test')
  expect(Object.keys(process.env).filter((name) => /^(PG|OTEL_)/.test(name))).toEqual([])
  const hosts = 'intranet.example.org,127.0.0.1,localhost'
  expect(process.env).toMatchObject({ no_proxy: hosts, NO_PROXY: hosts })
})

test('the server of the browser tests gets none of the variables of whoever runs them', async () => {
  vi.stubEnv('CHROMIUM_PATH', process.execPath)
  const { webServer } = (await import('../playwright.config.ts')).default
  if (!webServer || Array.isArray(webServer)) throw new Error('It starts one server')
  const [, prefix = ''] = /&& exec (.*) node server\/dist\/main\.js$/.exec(webServer.command) ?? []
  const env = { ...process.env, ...webServer.env, DATABASE_URL: 'postgres://127.0.0.1/theirs' }
  const variables = execFileSync('sh', ['-c', `${prefix} env`], { env, encoding: 'utf8' }).split('\n')
  expect(variables).toContain(`PATH=${process.env.PATH}`)
  expect(variables).toContain('ADMIN_PASSWORD=correct horse battery')
  expect(variables.filter((line) => /^(DATABASE_URL|NODE_ENV)=/.test(line))).toEqual([])
})
