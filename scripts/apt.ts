// Installs programs that the tests need from Debian's packages, where that is possible without asking the user.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Installs Debian packages if running as root, without starting their services. Returns whether that succeeded. */
export function installedByApt(...packages: string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const install = ['install', '-y', '--no-install-recommends', ...packages]
  return [['update'], install].every(
    (args) => spawnSync('apt-get', args, { env, stdio: 'ignore', timeout: 300_000 }).status === 0,
  )
}
