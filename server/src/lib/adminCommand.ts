import { basename } from 'node:path'

/** What an operator types before a command: the program of the package (bin/mokuroku.js), or npm in a checkout. */
export const ADMIN_COMMAND = basename(process.argv[1] ?? '').startsWith('mokuroku')
  ? 'mokuroku admin'
  : 'npm run admin --'
