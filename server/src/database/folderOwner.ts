// Which account owns the files of a data folder.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  opendirSync,
  openSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { accessDenied } from '#lib/faults.ts'

const { R_OK, W_OK } = constants

/** The names of the server's files in a data folder; all other files belong to somebody else. */
export const isOwn = (name: string): boolean =>
  /^(catalogue\..+|lock\.sqlite.*|restore\.partial|secret(\.part(ial)?)?|files|outbox)$/.test(name)

/** The names in a data folder that the server needs at its start, and that this account may not read or write. */
export function inaccessible(folder: string, names: string[]): string[] {
  const needed = names.filter((name) => isOwn(name) && !name.startsWith('catalogue.before-'))
  return needed.filter((name) => isDenied(join(folder, name), name === 'secret' ? R_OK : R_OK | W_OK))
}

function isDenied(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return false
  } catch (error) {
    return accessDenied(error) !== undefined
  }
}

/**
 * Changes the owner of what root has created in a data folder to the owner of the folder: the account that the server
 * runs under, which could not read it otherwise. Does nothing under any other account, and on other systems than Linux.
 */
export function giveToOwner(folder: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync(folder)) return
  const { uid, gid } = statSync(folder)
  if (uid !== 0) chownEntries(folder, isOwn, uid, gid)
}

/**
 * Guards against an owner who tries to get other files as well: each file is opened before its owner is changed, links
 * are not followed, names are resolved in the open folder, and a file with a second hard link is left alone.
 */
function chownTree(path: string, uid: number, gid: number): void {
  const opened = openNoFollow(path)
  if (opened === undefined) return
  try {
    const found = fstatSync(opened)
    if (found.isDirectory()) chownEntries(`/proc/self/fd/${opened}`, () => true, uid, gid)
    if (found.uid === 0 && (found.isDirectory() || found.nlink === 1)) fchownSync(opened, uid, gid)
  } finally {
    closeSync(opened)
  }
}

function chownEntries(folder: string, isIncluded: (name: string) => boolean, uid: number, gid: number): void {
  const entries = opendirSync(folder)
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync())
      if (isIncluded(entry.name) && (entry.isFile() || entry.isDirectory()))
        chownTree(join(folder, entry.name), uid, gid)
  } finally {
    entries.closeSync()
  }
}

/** Undefined for a link, and for a file that has disappeared meanwhile: the server may be running. */
function openNoFollow(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
}
