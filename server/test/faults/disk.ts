// Small disks of the tests' own, which can be filled and made read-only. Only root on Linux has them.
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (program: string, ...args: string[]): boolean => spawnSync(program, args, { stdio: 'ignore' }).status === 0

const mounted = new Set<string>()
process.once('exit', () => {
  for (const folder of mounted) unmount(folder)
})

function unmount(folder: string): void {
  if (!run('umount', folder)) run('umount', '-l', folder)
  mounted.delete(folder)
  rmSync(folder, { recursive: true, force: true })
}

/** Whether disks can be mounted here at all. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryToMount()

function tryToMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-disk-'))
  const can = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder)
  unmount(folder)
  return can
}

/** A disk in memory with room for so many megabytes, mounted at `folder`. */
export function aDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', folder])
  mounted.add(folder)
  const filler = join(folder, 'filler')
  return {
    folder,
    /** Leaves so many bytes free. */
    fill: (free = 0): void => {
      const file = openSync(filler, 'a')
      const block = Buffer.alloc(4096, 1)
      try {
        for (;;) writeSync(file, block)
      } catch {
        const { size } = fstatSync(file)
        ftruncateSync(file, Math.max(0, size - free))
      } finally {
        closeSync(file)
      }
    },
    free: (): void => rmSync(filler, { force: true }),
    remount: (mode: 'ro' | 'rw'): boolean => run('mount', '-o', `remount,${mode}`, folder),
    remove: (): void => unmount(folder),
  }
}

/** A disk as a file of its own, which the system makes read-only at once when told that it failed. Undefined where there is none. */
export function aRealDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-disk-'))
  const image = `${folder}.img`
  process.once('exit', () => rmSync(image, { force: true }))
  const mount = (): boolean => run('mount', '-o', 'loop,errors=remount-ro', image, folder)
  const made = run('truncate', '-s', '32M', image) && run('mkfs.ext4', '-q', '-F', image) && mount()
  if (!made) {
    unmount(folder)
    rmSync(image, { force: true })
    return undefined
  }
  mounted.add(folder)
  const source = execFileSync('findmnt', ['-n', '-o', 'SOURCE', folder], { encoding: 'utf8' }).trim()
  return {
    folder,
    fail: (): boolean => run('sh', '-c', `echo 1 > /sys/fs/ext4/${source.replace('/dev/', '')}/trigger_fs_error`),
    /** As an operator puts it right. */
    repair: (): boolean => {
      run('umount', folder)
      run('fsck.ext4', '-p', '-f', image)
      return mount()
    },
    remove: (): void => {
      unmount(folder)
      rmSync(image, { force: true })
    },
  }
}

/** Lets nobody, not even root, change a file or folder; and takes that back. False where the system cannot. */
export const freeze = (...paths: string[]): boolean => run('chattr', '+i', ...paths)
export const thaw = (...paths: string[]): boolean => run('chattr', '-i', ...paths)
