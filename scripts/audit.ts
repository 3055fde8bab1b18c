// Checks the shipped packages for known vulnerabilities (npm audit). If the advisories cannot be reached, it says so
// and succeeds.
import { spawnSync } from 'node:child_process'
import { root } from './locked.ts'

/** The timeout for the registry, in milliseconds. */
const TIMEOUT_MS = 60_000

interface Audit {
  error?: { code?: string; summary?: string }
  metadata?: { vulnerabilities: Record<string, number> }
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>
}

// Without `--include=prod`, `include` in .npmrc would override `--omit`.
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
  console.error(`npm audit failed: ${audit?.error?.summary}`)
  process.exitCode = 1
} else console.log('skipped: the advisory database cannot be reached')

function parsed(text: string): Audit | undefined {
  try {
    return JSON.parse(text) as Audit
  } catch {
    return undefined
  }
}
