import { UserInput } from '@mokuroku/contract/users'
import { db, type Transaction } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { By } from '#lib/keeping.ts'
import { ledger } from '#lib/ledger.ts'
import type { Tables, UserFields } from '#lib/tables.ts'

const fields = Object.keys(UserInput.shape).filter((name) => name !== 'password')

const kept = ledger<UserFields>({
  kind: 'User',
  fields,
  empty: { role: 'user', isActive: true, avatar: '', scores: 0 },
  title: ({ username }) => username,
  activity: () => undefined,
})

/** Users, as the ledger keeps them: never their passwords. */
export const users = {
  ...kept,

  /** Adds an account. The hash of its password is kept apart from what history shows. */
  add: async (tx: Transaction, input: Partial<UserFields>, passwordHash: string, by: By): Promise<string> => {
    const id = by.id ?? newId()
    await kept.createIn(tx, id, input, by, { passwordHash })
    return id
  },

  /** The active or inactive account with this address, whatever its case. */
  withEmail: (email: string): Promise<Tables['users'] | undefined> =>
    db
      .selectFrom('users')
      .selectAll()
      .where(({ fn }) => fn<string>('lower', ['email']), '=', email.toLowerCase())
      .where('deletedAt', 'is', null)
      .executeTakeFirst(),

  setPassword: async (tx: Transaction, id: string, passwordHash: string): Promise<void> => {
    await tx.updateTable('users').set({ passwordHash }).where('_id', '=', id).execute()
  },

  /** Whether there is any account, trashed ones included. */
  any: async (): Promise<boolean> =>
    (await db.selectFrom('users').select('_id').limit(1).executeTakeFirst()) !== undefined,

  signedIn: async (id: string, at: string): Promise<void> => {
    await db.updateTable('users').set({ lastLogin: at }).where('_id', '=', id).execute()
  },
}
