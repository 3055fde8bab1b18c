// Starts the development servers: the API server restarts on change; the console has hot reload and proxies the API.
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

// Wait for the server to exit first, so that no process is left behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => server.kill())
process.once('exit', () => server.kill())
server.once('exit', () => process.exit())
