import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startOwnPostgres } from '../../../scripts/postgres.ts'
import { aSite, faultsOf } from '../crash.ts'
import { mediaInput } from '../factories.ts'
import { startServer } from '../process.ts'
import { repeated } from '../repeated.ts'
import { ask, rounds, signIn, until } from './site.ts'

/** Crashes the database server and restarts it. False if its program is not available. */
function crash(data: string): boolean {
  const [pid = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
  const program = join(dirname(readlinkSync(`/proc/${pid}/exe`)), 'pg_ctl')
  if (!existsSync(program)) return false
  const { uid, gid } = statSync(data)
  // It was started in this folder, with a relative path that is used again.
  const how = { cwd: dirname(data), stdio: 'ignore' as const, ...(process.getuid?.() === 0 && { uid, gid }) }
  return spawnSync(program, ['restart', '-D', data, '-m', 'immediate', '-w', '-l', join(data, 'log')], how).status === 0
}

describe.runIf(process.env.ENGINE === 'postgres' && process.platform === 'linux')(
  'when PostgreSQL crashes and restarts',
  () => {
    test('loses no acknowledged save', async ({ skip }) => {
      const postgres = await startOwnPostgres()
      onTestFinished(() => postgres.stop())
      const site = await aSite(postgres.url)
      onTestFinished(() => site.remove())
      const server = (site.server = await startServer({ ...site.env, LOG_LEVEL: 'silent' }))
      const token = await signIn(server)
      const [{ data_directory: data } = {}] = await site.read('SHOW data_directory')
      const promised: string[] = []
      const statuses = new Set<number>()
      const stopWriting = repeated(4, async () => {
        const { status, body } = await ask(server, token, 'POST', '/api/media', mediaInput())
        statuses.add(status)
        if (status === 201) promised.push(body._id)
      })
      const startedAt = async () => Object.values((await site.read('SELECT pg_postmaster_start_time()::text'))[0] ?? {})
      for (let each = 0; each < rounds(2); each++) {
        await sleep(200)
        const beforeCrash = await startedAt()
        if (!crash(String(data))) {
          await stopWriting()
          return skip('pg_ctl is not here')
        }
        const before = promised.length
        await until('saves are taken again', async () => promised.length > before)
        expect(await startedAt()).not.toEqual(beforeCrash)
      }
      await stopWriting()
      // Whether a save was in progress at the moment of a crash is up to chance.
      expect([201, 503]).toEqual(expect.arrayContaining([...statuses]))
      const kept = new Set((await site.read('SELECT "_id" FROM "media"')).map(({ _id }) => _id))
      expect(promised.filter((id) => !kept.has(id))).toEqual([])
      expect(await faultsOf(site)).toEqual([])
      expect(await server.end()).toMatchObject({ code: 0, errors: '' })
    })
  },
)
