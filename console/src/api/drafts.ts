import { localEntry, storedKeys } from './browserStorage.ts'

const DAYS_KEPT = 30
/** In characters. A browser gives one site about five million. */
const MAX_DRAFT_CHARS = 1_000_000
const PREFIX = 'draft:'

export interface Draft {
  /** Which editor wrote it: two tabs do not overwrite each other's. */
  id: string
  text: string
  /** The stored text and the version that the change was begun from; none for a new entity. */
  base: string
  version?: number | undefined
  /** ISO moment of the last change. */
  at: string
}

/** The drafts of one user for one entity (`media/<id>`, `media/new`), the newest first. */
export function draftsOf(user: string, entity: string): Draft[] {
  const found = storedKeys(placeOf(user, entity)).flatMap((key) => read(key) ?? [])
  return found.toSorted((one, two) => two.at.localeCompare(one.at))
}

/** What a user has drafts of in this browser, each with the newest one; the newest first. */
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

/** Keeps a draft; the oldest ones make room when the storage is full. False when it could not be kept. */
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

/** Removes what nobody came back for. */
export function pruneDrafts(now = Date.now()) {
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

// By hand: the dashboard counts drafts, and waits for no schemas.
function isDraft(stored: unknown): stored is Draft {
  const { id, text, base, version, at } = (stored ?? {}) as Record<keyof Draft, unknown>
  const isVersion = version === undefined || typeof version === 'number'
  return isVersion && [id, text, base, at].every((value) => typeof value === 'string')
}

function oldestBut(key: string): string | undefined {
  const others = storedKeys(PREFIX).filter((each) => each !== key)
  return others.toSorted((one, two) => (read(one)?.at ?? '').localeCompare(read(two)?.at ?? ''))[0]
}
