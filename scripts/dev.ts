// One command for development: the server restarts on change, the console has hot reload and proxies the API to it.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createServer } from 'vite'

const root = path.resolve(import.meta.dirname, '..')
const server = spawn(process.execPath, ['--watch', 'server/src/main.ts'], { cwd: root, stdio: 'inherit' })
const console = await createServer({
  root: path.join(root, 'console'),
  configFile: path.join(root, 'console/vite.config.ts'),
})
await console.listen()
console.printUrls()

// The server ends first, so that nothing is left behind when the prompt comes back.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => server.kill())
process.once('exit', () => server.kill())
server.once('exit', () => process.exit())
