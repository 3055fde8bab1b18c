// `advisoryLocks`: transactions that name the same thing run one after another; a few that name other things do not
// wait.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { advisoryLocks, type Transaction, transaction } from '#database/db.ts'
import { withApp } from '#test/app.ts'

withApp()

const MANY = 500
const named = (length: number) => Array.from({ length }, (_, at) => `name ${at}`)
const together = (names: string[]) => (tx: Transaction) => advisoryLocks(tx, 'test', names)
const oneByOne = (names: string[]) => async (tx: Transaction) => {
  for (const name of names) await together([name])(tx)
}

/** Whether a transaction waits for the locks of another one. */
async function waits(held: (tx: Transaction) => Promise<void>, asked: (tx: Transaction) => Promise<void>) {
  const [holds, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = transaction(async (tx) => {
    await held(tx)
    holds.resolve()
    await end.promise
  })
  await holds.promise
  const second = transaction(async (tx) => {
    await sql`SET LOCAL lock_timeout = '50ms'`.execute(tx)
    await asked(tx)
  })
  const isRefused = await second.then(
    () => false,
    (error: { code?: string }) => error.code === '55P03',
  )
  end.resolve()
  await first
  return isRefused
}

// 500 names are more than there are lock groups, so some share a group with a held one.
test.runIf(process.env.ENGINE === 'postgres').each([
  {
    case: 'few names waits while one of them is held',
    held: ['one', 'two'],
    asked: together(['two', 'three']),
    isWaiting: true,
  },
  {
    case: 'many other names one by one does not wait',
    held: ['one', 'two'],
    asked: oneByOne(named(MANY)),
    isWaiting: false,
  },
  {
    case: 'one name waits while it and many others are held',
    held: named(MANY),
    asked: together(['name 7']),
    isWaiting: true,
  },
  {
    case: 'many names waits while one of them is held',
    held: ['name 7'],
    asked: together(named(MANY)),
    isWaiting: true,
  },
])('locking $case', async ({ held, asked, isWaiting }) => {
  expect(await waits(together(held), asked)).toBe(isWaiting)
})
