// A second process that adds to a database's audit log while a test does so, too.
import { closeDatabase, openDatabase } from '#database/db.ts'
import { audit } from '../src/audit/store.ts'

const { DATABASE_URL: url, DATA_DIR: folder = '', COUNT } = process.env
await openDatabase({ url, folder })
process.stdout.write('begins\n')
for (let at = 0; at < Number(COUNT); at++)
  await audit.recordNow({ action: 'operator.ran', details: { command: 'test', at, process: process.pid } })
await closeDatabase()
