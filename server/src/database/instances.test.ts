import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withApp } from '#test/app.ts'
import { temporaryFolder } from '#test/folder.ts'
import { advisoryLock, db, transaction } from './db.ts'
import { joinInstances, leaveInstances } from './instances.ts'

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
