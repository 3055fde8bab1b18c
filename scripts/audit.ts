// Known vulnerabilities of what is shipped, where the advisories can be asked for; elsewhere this is said, and no failure.
import { spawnSync } from 'node:child_process'
import { root } from './locked.ts'

/** No build waits longer for somebody else's server, in milliseconds. */
const TIMEOUT_MS = 60_000

interface Audit {
  error?: { code?: string; summary?: string }
  metadata?: { vulnerabilities: Record<string, number> }
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>
}

// `include` in .npmrc would win over `omit`.
const args = ['audit', '--omit=dev', '--include=prod', '--audit-level=high', '--json']
const env = { ...process.env, npm_config_fetch_retries: '0', npm_config_fetch_timeout: '10000' }
const { stdout } = spawnSync('npm', args, {
  cwd: root,
  env,
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
  killSignal: 'SIGKILL',
})
const audit = parsed(stdout)

if (audit?.metadata) {
  const found = Object.values(audit.vulnerabilities ?? {}).filter(({ severity }) => /^(high|critical)$/.test(severity))
  for (const { name, severity, range } of found) console.error(`${name} ${range}: ${severity}`)
  console.log(`${found.length} packages with high or critical advisories`)
  if (found.length > 0) process.exitCode = 1
} else if (/LOCK|USAGE|JSON/.test(audit?.error?.code ?? '')) {
  console.error(`npm audit cannot be asked: ${audit?.error?.summary}`)
  process.exitCode = 1
} else console.log('skipped: the advisories are not reachable from here')

function parsed(text: string): Audit | undefined {
  try {
    return JSON.parse(text) as Audit
  } catch {
    return undefined
  }
}
