import { basename } from 'node:path'

/**
 * How an operator runs admin commands: with the program of the package (bin/mokuroku.js), or with npm in a checkout.
 */
export const ADMIN_COMMAND = basename(process.argv[1] ?? '').startsWith('mokuroku')
  ? 'mokuroku admin'
  : 'npm run admin --'
