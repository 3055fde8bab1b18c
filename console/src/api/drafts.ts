import { isExpired, issuedAt } from '#lib/token.ts'
import { localEntry, storedKeys } from './browserStorage.ts'
import { token } from './session.ts'

const DAYS_KEPT = 30
/** In characters. Browsers give one origin about five million. */
const MAX_DRAFT_CHARS = 1_000_000
const PREFIX = 'draft:'

/** A call that creates an entity; repeated with its key, it creates nothing again. */
export interface Creation {
  body: Record<string, unknown>
  runs: string[]
  key?: string
}

export interface Draft {
  /** The editor instance that wrote it, so that two tabs do not overwrite each other's draft. */
  id: string
  text: string
  /** The stored text and version that the edit started from; no version for a new entity. */
  base: string
  version?: number | undefined
  /** Of a new entity: the call that may have created it, although no response came. */
  sent?: Creation | undefined
  /** Whether it is of an entity that was merged into this one since: `base` is of that entity. */
  isMerged?: boolean | undefined
  /** Time of the last change, ISO. */
  at: string
}

/**
 * The time of a draft that is stored now: never before the session began, even if the clock of the browser is behind. If
 * that clock were set right later, the draft would seem to be old, and be deleted.
 */
export const draftTime = (): string => new Date(Math.max(Date.now(), issuedAt(token.get() ?? ''))).toISOString()

/** A user's drafts of one entity (`media/<id>`, `media/new`), newest first. */
export function draftsOf(user: string, entity: string): Draft[] {
  const found = storedKeys(placeOf(user, entity)).flatMap((key) => read(key) ?? [])
  return found.toSorted((one, two) => two.at.localeCompare(one.at))
}

/** Every entity of which a user has drafts in this browser, with its newest draft; newest first. */
export function allDrafts(user: string): { entity: string; draft: Draft }[] {
  const prefix = `${PREFIX}${user}:`
  const entities = new Set(storedKeys(prefix).map((key) => key.slice(prefix.length, key.lastIndexOf(':'))))
  return Array.from(entities)
    .flatMap((entity) =>
      draftsOf(user, entity)
        .slice(0, 1)
        .map((draft) => ({ entity, draft })),
    )
    .toSorted((one, two) => two.draft.at.localeCompare(one.draft.at))
}

/** Removes all drafts of an entity. */
export const dropDrafts = (user: string, entity: string): void => {
  for (const { id } of draftsOf(user, entity)) dropDraft(user, entity, id)
}

/** Stores a draft, and deletes the oldest ones if the storage is full. Returns false if it could not be stored. */
export function keepDraft(user: string, entity: string, draft: Draft): boolean {
  const text = JSON.stringify(draft)
  if (text.length > MAX_DRAFT_CHARS) return false
  const entry = localEntry(placeOf(user, entity) + draft.id)
  entry.set(text)
  while (entry.get() !== text) {
    const oldest = oldestBut(placeOf(user, entity) + draft.id)
    if (!oldest) return false
    localEntry(oldest).remove()
    entry.set(text)
  }
  return true
}

export const dropDraft = (user: string, entity: string, id: string) => localEntry(placeOf(user, entity) + id).remove()

/**
 * Deletes drafts that are invalid or have not been changed for DAYS_KEPT days. Deletes none if the clock of the browser
 * is so far ahead that the session has expired by it.
 */
export function pruneDrafts(now = Date.now()) {
  if (isExpired(token.get() ?? '', now / 1000)) return
  for (const key of storedKeys(PREFIX)) {
    const draft = read(key)
    if (!draft || !(now - Date.parse(draft.at) < DAYS_KEPT * 86_400_000)) localEntry(key).remove()
  }
}

const placeOf = (user: string, entity: string) => `${PREFIX}${user}:${entity}:`

function read(key: string): Draft | undefined {
  try {
    const stored: unknown = JSON.parse(localEntry(key).get() ?? '')
    return isDraft(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

// Checked by hand: the dashboard counts drafts and should not have to load schemas.
function isDraft(stored: unknown): stored is Draft {
  const { id, text, base, version, at } = (stored ?? {}) as Record<keyof Draft, unknown>
  const isVersion = version === undefined || typeof version === 'number'
  return isVersion && [id, text, base, at].every((value) => typeof value === 'string')
}

function oldestBut(key: string): string | undefined {
  const others = storedKeys(PREFIX).filter((each) => each !== key)
  return others.toSorted((one, two) => (read(one)?.at ?? '').localeCompare(read(two)?.at ?? ''))[0]
}
