import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { faultsOf } from '../crash.ts'
import { createDatabase, postgres } from '../postgres.ts'
import { aPicture } from '../files.ts'
import { refusedStart, startServer } from '../process.ts'
import { aDisk, aRealDisk, canMount, freeze, thaw } from './disk.ts'
import { aForm, ask, faultsOfFiles, saved, settled, siteOn } from './site.ts'

/** An account without permissions. */
const NOBODY = 65_534
const UNWRITABLE = /^The server’s disk (is not writable|cannot be read or written)\.$/

describe.runIf(canMount)('on a disk that is not writable', () => {
  test('refuses to start, with one line, also if only its account may not write', async ({ skip }) => {
    const disk = aDisk(16)
    onTestFinished(disk.remove)
    const env = { DATA_DIR: join(disk.folder, 'data'), DATABASE_URL: postgres && (await createDatabase(postgres)) }
    const line = (advice: string) =>
      `Mokuroku cannot start. The data folder ${env.DATA_DIR} cannot be written. ${advice} DATA_DIR to a folder that can.\n`
    await (await startServer(env)).end()
    expect(disk.remount('ro')).toBe(true)
    expect(await refusedStart(env)).toMatchObject({ code: 1, errors: line('Set') })
    expect(disk.remount('rw')).toBe(true)
    expect((await (await startServer(env)).end()).code).toBe(0)
    if (spawnSync(process.execPath, ['-v'], { uid: NOBODY }).error)
      return skip('other accounts cannot run this checkout')
    const advice = `Change its owner (chown) to the account that runs the server (uid ${NOBODY}), or set`
    expect(await refusedStart(env, { uid: NOBODY })).toMatchObject({ code: 1, errors: line(advice) })
  })

  test('refuses writes with a clear message, keeps reading, and recovers by itself', async ({ skip }) => {
    const disk = aRealDisk()
    if (!disk) return skip('no disk can be made here')
    onTestFinished(disk.remove)
    const { site, server, token } = await siteOn(disk.folder)
    onTestFinished(site.remove)
    const { _id } = (await saved(server, token)).body
    const data = site.env.DATA_DIR ?? ''
    const frozen = ['catalogue.sqlite', 'catalogue.sqlite-wal', 'files/incoming', '']
      .map((name) => join(data, name))
      .filter((path) => existsSync(path))
    onTestFinished(() => void thaw(...frozen))
    if (!freeze(...frozen)) return skip('files cannot be frozen here')
    const refused = [await ask(server, token, 'POST', '/api/assets', aForm(await aPicture(), 'a.png'))]
    if (!postgres) refused.push(await saved(server, token))
    for (const { status, body } of refused) {
      expect(body.message).toMatch(UNWRITABLE)
      expect([status, body.code]).toEqual([503, 'unavailable'])
    }
    expect((await ask(server, token, 'GET', `/api/media/${_id}`)).status).toBe(200)
    expect((await ask(server, token, 'GET', '/api/media')).status).toBe(200)
    thaw(...frozen)
    expect((await saved(server, token)).status).toBe(201)
    expect((await ask(server, token, 'POST', '/api/assets', aForm(await aPicture(), 'a.png'))).status).toBe(201)
    await settled(site)
    expect([...(await faultsOf(site)), ...(await faultsOfFiles(site))]).toEqual([])
  })

  test('keeps acknowledged saves, and nothing half-written, when a failed disk is repaired', async ({ skip }) => {
    const disk = aRealDisk()
    if (!disk) return skip('no disk can be made to fail here')
    const { site, server, token } = await siteOn(disk.folder)
    try {
      const { _id } = (await saved(server, token)).body
      if (!disk.fail()) return skip('no disk can be made to fail here')
      const upload = await ask(server, token, 'POST', '/api/assets', aForm(await aPicture(), 'a.png'))
      expect(upload.status).toBe(503)
      expect(upload.body.message).toMatch(UNWRITABLE)
      const save = await saved(server, token)
      expect(save.status).toBe(postgres ? 201 : 503)
      if (!postgres) expect(save.body.message).toMatch(UNWRITABLE)
      expect((await ask(server, token, 'GET', `/api/media/${_id}`)).status).toBe(200)
      await server.end('SIGKILL')
      expect(disk.repair()).toBe(true)
      site.server = await startServer(site.env)
      expect((await ask(site.server, token, 'GET', `/api/media/${_id}`)).status).toBe(200)
      expect((await saved(site.server, token)).status).toBe(201)
      expect([...(await faultsOf(site)), ...(await faultsOfFiles(site))]).toEqual([])
    } finally {
      await site.server?.end('SIGKILL')
      disk.repair()
      await site.remove()
      disk.remove()
    }
  })
})
