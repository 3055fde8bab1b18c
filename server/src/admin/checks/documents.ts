import { sql } from 'kysely'
import { documentColumns } from '#database/columns.ts'
import { db } from '#database/db.ts'
import { registeredKinds } from '../../kinds.ts'
import { TABLES } from '#database/tables.ts'
import type { Check } from './check.ts'

/** The number of rows read at a time: each can be as large as an entity. */
const ROWS_PER_PAGE = 100
/** The primary keys of tables that have none called `_id`. */
const KEYS: Record<string, string[]> = {
  notifications: ['userId', 'seq'],
  preferences: ['userId'],
  batchRows: ['batch', 'seq'],
  importRows: ['import', 'seq'],
  importPlans: ['import', 'seq'],
  importMappings: ['userId', 'entityType'],
}

/** Documents that no other check reads can be parsed. There is no repair: what they were cannot be told. */
export const documents: Check = {
  name: 'documents',
  run: async function* inspect() {
    const readElsewhere = new Set<string>([...registeredKinds.map((kind) => TABLES[kind]), 'revisions', 'audit'])
    for (const [table, columns] of documentColumns()) {
      if (readElsewhere.has(table)) continue
      const keys = KEYS[table] ?? ['_id']
      const next = (last?: Record<string, unknown>) => rowsAfter(table, keys, columns, last)
      for (let page = await next(); page.length > 0; page = await next(page.at(-1)))
        for (const row of page)
          for (const column of columns)
            if (!isReadable(row[column]))
              yield { what: `${table} ${keys.map((key) => row[key]).join(' ')}: ${column} is not valid JSON` }
    }
  },
}

/** Rows as they are stored, in the order of their keys. */
async function rowsAfter(table: string, keys: string[], columns: string[], last?: Record<string, unknown>) {
  const refs = keys.map((key) => sql.ref(key))
  const after = last && sql`WHERE (${sql.join(refs)}) > (${sql.join(keys.map((key) => last[key]))})`
  const { rows } = await sql<Record<string, unknown>>`
    SELECT ${sql.join([...refs, ...columns.map((column) => sql.ref(column))])} FROM ${sql.table(table)} ${after ?? sql``}
    ORDER BY ${sql.join(refs)} LIMIT ${sql.lit(ROWS_PER_PAGE)}`.execute(db)
  return rows
}

function isReadable(text: unknown): boolean {
  try {
    // Null and '' both mean that there is none.
    if (typeof text === 'string' && text !== '') JSON.parse(text)
    return true
  } catch {
    return false
  }
}
