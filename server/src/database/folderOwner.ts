// Whose the files of a data folder are.
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

const { R_OK, W_OK } = constants

/** What the server keeps in a data folder; whatever else lies there is somebody else's. */
const isOwn = (name: string): boolean =>
  /^(catalogue\..+|lock\.sqlite.*|restore\.partial|secret(\.part)?|files|outbox)$/.test(name)

/** Of the names in a data folder, those that a start needs and this account may not read, or write. */
export function closedAmong(folder: string, names: string[]): string[] {
  const needed = names.filter((name) => isOwn(name) && !name.startsWith('catalogue.before-'))
  return needed.filter((name) => isClosed(join(folder, name), name === 'secret' ? R_OK : R_OK | W_OK))
}

function isClosed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return false
  } catch (error) {
    return (error as { code?: string }).code === 'EACCES'
  }
}

/**
 * Gives what root has made in a data folder to the owner of the folder: the account that the server runs under, which
 * could not read it. Does nothing under any other account, and on other systems than Linux.
 */
export function giveToOwner(folder: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync(folder)) return
  const { uid, gid } = statSync(folder)
  if (uid !== 0) giveEntries(folder, isOwn, uid, gid)
}

/**
 * The owner may want to be given more than this: so what is given is opened first, links are not followed, names are
 * looked up in the folder that is open, and a file that has a second name somewhere is left.
 */
function give(path: string, uid: number, gid: number): void {
  const opened = openedNoLink(path)
  if (opened === undefined) return
  try {
    const found = fstatSync(opened)
    if (found.isDirectory()) giveEntries(`/proc/self/fd/${opened}`, () => true, uid, gid)
    if (found.uid === 0 && (found.isDirectory() || found.nlink === 1)) fchownSync(opened, uid, gid)
  } finally {
    closeSync(opened)
  }
}

function giveEntries(folder: string, isMeant: (name: string) => boolean, uid: number, gid: number): void {
  const entries = opendirSync(folder)
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync())
      if (isMeant(entry.name) && (entry.isFile() || entry.isDirectory())) give(join(folder, entry.name), uid, gid)
  } finally {
    entries.closeSync()
  }
}

/** Undefined for a link, and for what has gone meanwhile: the server may be running. */
function openedNoLink(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
}
