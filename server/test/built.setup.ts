// Tests that start the server, or a command of the operator, start what `npm start` does.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

export default function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts'), 'server'], { stdio: 'inherit' })
}
