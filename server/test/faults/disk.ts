// Small disks for tests, which can be filled and made read-only. Requires root on Linux.
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

/** Whether disks can be mounted here. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryToMount()

function tryToMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-disk-'))
  const can = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder)
  unmount(folder)
  return can
}

/** Mounts a disk in memory with a size in megabytes, at `folder`. */
export function aDisk(megabytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', folder])
  mounted.add(folder)
  const filler = join(folder, 'filler')
  return {
    folder,
    /** Fills the disk, leaving this many bytes free. */
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

/**
 * Mounts a disk image, which the kernel makes read-only when it is told that the disk failed. Undefined if that is not
 * possible.
 */
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
    /** Repairs the disk as an operator would. */
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

/** Makes files or folders immutable, even for root, and back. False if the system cannot. */
export const freeze = (...paths: string[]): boolean => run('chattr', '+i', ...paths)
export const thaw = (...paths: string[]): boolean => run('chattr', '-i', ...paths)
