import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { operator } from '../operator.ts'
import { refusedStart, startServer } from '../process.ts'

const root = mkdtempSync(join(tmpdir(), 'mokuroku-demo-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a former demo starts as a normal server only after its password is changed', async () => {
  const env = { DATA_DIR: join(root, 'data'), DATABASE_URL: undefined }
  const demo = await startServer({ ...env, DEMO: 'on' })
  const signIn = 'Sign in with demo@example.org and the password mokuroku-demo'
  await expect.poll(demo.output).toContain(signIn)
  expect((await demo.end()).code).toBe(0)
  const own = { ADMIN_EMAIL: 'own@example.org', ADMIN_PASSWORD: 'password1' }
  expect(await refusedStart({ ...env, ...own })).toMatchObject({
    code: 1,
    errors:
      'Mokuroku cannot start. This catalogue was used as a demo, so the password of demo@example.org is public. ' +
      'Change it first: npm run admin -- password demo@example.org\n',
  })
  const { code, output } = await operator({ env }, ['password', 'demo@example.org'])
  expect(code).toBe(0)
  expect(output).toContain('The new password of demo@example.org is')
  const server = await startServer({ ...env, ...own })
  expect((await server.end()).code).toBe(0)
  // The password has no account, so it does not matter.
  expect(server.output()).not.toContain('easy to guess')
  // As a demo again, it does not name a password that no longer works.
  const again = await startServer({ ...env, DEMO: 'on' })
  expect((await again.end()).code).toBe(0)
  expect(again.output()).not.toContain('Sign in with')
})
