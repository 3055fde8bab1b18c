import { beforeCommit, type Transaction, transaction } from '#lib/db.ts'
import { append, type Happening } from './write.ts'

const told = new WeakMap<Transaction, Happening[]>()

export const audit = {
  /**
   * Keeps what is done in a transaction, together with it: either both are there or neither. It is written as the last
   * of the transaction, since everybody else who has something to tell waits from there on.
   */
  tellIn: (tx: Transaction, happening: Happening): void => {
    const before = told.get(tx)
    if (before) return void before.push(happening)
    const happenings = [happening]
    told.set(tx, happenings)
    beforeCommit(tx, () => append(tx, happenings))
  },

  /** Keeps what is no write, or one of its own. Throws where it cannot. */
  tell: (happening: Happening): Promise<void> => transaction((tx) => append(tx, [happening])),
}
