#!/usr/bin/env node
// The command of the npm package: `mokuroku` starts the server, `mokuroku admin …` runs an operator's command. The server
// needs Node 24; with an older one, this script uses the Node that the package depends on.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const [command, ...words] = process.argv.slice(2)
const folder = join(dirname(fileURLToPath(import.meta.url)), '../server/dist')
const isHelp = [command, ...words].some((word) => ['help', '--help', '-h'].includes(word))

if (command === 'admin') await run('admin.js', words)
else if (command === undefined || (command === 'start' && !isHelp)) await run('main.js', words)
else {
  process.stdout.write(`mokuroku [start]           start the server; README.md lists the variables that configure it
mokuroku admin <command>   run an operator's command; lists them without one
`)
  process.exitCode = isHelp ? 0 : 1
}

async function run(file, rest) {
  if (Number.parseInt(process.versions.node) >= 24) {
    // Keeps argv[1], from which messages to operators derive the command to type (server/src/lib/adminCommand.ts).
    process.argv = [...process.argv.slice(0, 2), ...rest]
    await import(pathToFileURL(join(folder, file)).href)
    return
  }
  const child = spawn(ownNode(), process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('error', () => {
    process.stderr.write('Mokuroku needs Node 24, and the bundled Node could not be started. Install Node 24.\n')
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

function ownNode() {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin/node')
  } catch {
    return 'node24-is-not-installed'
  }
}
