import { setTimeout as sleep } from 'node:timers/promises'
import { settingsApi } from '@mokuroku/contract/settings'
import { expect, onTestFinished, test, vi } from 'vitest'
import { signedIn, withApp } from '#test/app.ts'
import { temporaryFolder } from '#test/folder.ts'
import { fromNow } from './clock.ts'
import { advisoryLock, db, transaction } from './db.ts'
import { joinInstances, leaveInstances, listInstances } from './instances.ts'

withApp()

test.runIf(process.env.ENGINE === 'postgres')(
  'a heartbeat that is under way when a server leaves does not register it again',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const setup = { version: '1.0.0', secret: new Uint8Array(32), hasOwnSecret: true, bucket: undefined }
    const joining = { alone: async () => undefined, unfit: () => undefined }
    await joinInstances({ ...setup, folder: temporaryFolder(), readsReplicas: false }, joining)
    // As after a pause so long that others have removed it: the heartbeat inserts the row.
    await db.deleteFrom('instances').execute()
    let left: Promise<void> | undefined
    await transaction(async (tx) => {
      await advisoryLock(tx, 'instances')
      vi.advanceTimersByTime(10_000)
      await sleep(200)
      left ??= leaveInstances()
      await sleep(200)
    })
    await left
    await sleep(200)
    expect(await db.selectFrom('instances').selectAll().execute()).toEqual([])
  },
)

test.runIf(process.env.ENGINE === 'postgres')(
  'a server is shown to moderators; one that was killed before the clock of the database was set back counts as stopped',
  async () => {
    const setup = { version: '1.0.0', secret: new Uint8Array(32), hasOwnSecret: true, bucket: undefined }
    const joining = { alone: async () => undefined, unfit: () => undefined }
    await joinInstances({ ...setup, folder: temporaryFolder(), readsReplicas: false }, joining)
    onTestFinished(leaveInstances)
    const shown = async (role: 'user' | 'moderator') => (await signedIn({ role })).call(settingsApi.about)
    expect([(await shown('user')).instances.length, (await shown('moderator')).instances.length]).toEqual([0, 1])
    const isListed = async () => (await listInstances()).length > 0
    for (const [ms, isLive] of [
      [-3_600_000, false],
      [-5000, true],
      [5000, true],
      [3_600_000, false],
    ] as const) {
      await db
        .updateTable('instances')
        .set({ seenAt: fromNow(ms) })
        .execute()
      expect([ms, await isListed()]).toEqual([ms, isLive])
    }
  },
)
