import { setTimeout as sleep } from 'node:timers/promises'
import type { Editors, PresenceEvent } from '@mokuroku/contract/presence'
import { type Actor, may } from '#access/permissions.ts'
import { presentActor } from '#access/session.ts'
import { isListening } from '#database/announcements.ts'
import { engine } from '#database/db.ts'
import { onEntityChanged } from '#ledger/changes.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import { type Opened, rows } from './rows.ts'

/** How often what was noted is refreshed, and whether rights and people are still so is asked, in milliseconds. */
const REFRESH_MS = 10_000
/** As long as nobody says what other servers write. */
const UNHEARD_REFRESH_MS = 2000
/** Who comes and goes within so many milliseconds is sent as one event. */
const COLLECT_MS = 150

export const presence = { follow }

/**
 * Shows the actor to all others who have the entity open, and says who they are and which version it has, as it is and
 * whenever that changes. Only those who may edit it are shown, and only they get events.
 */
async function* follow(actor: Actor, opened: Opened, signal: AbortSignal): AsyncGenerator<PresenceEvent> {
  const watcher = createWatcher(opened.entityId, signal)
  let shownAs: string | undefined
  let editors: Editors = { entityId: opened.entityId, people: [], count: 0 }
  let version: number | undefined
  try {
    while (!signal.aborted) {
      watcher.hush()
      const row = await editableRow(actor, opened)
      if (row && !row.deletedAt) shownAs ??= await rows.enter(opened, actor._id)
      else if (shownAs !== undefined) {
        await rows.leave(shownAs, opened)
        shownAs = undefined
      }
      const now = shownAs === undefined ? { ...editors, people: [], count: 0 } : await rows.editors(opened, actor._id)
      if (JSON.stringify(now) !== JSON.stringify(editors)) yield { event: 'editors', data: now }
      editors = now
      if (row && row.version !== version)
        yield { event: 'version', data: { entityId: opened.entityId, version: row.version } }
      version = row?.version ?? version
      await watcher.rung()
      await sleep(COLLECT_MS, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    watcher.close()
    if (shownAs !== undefined) await rows.leave(shownAs, opened).catch(() => undefined)
  }
}

/** The entity, if the actor may edit it as they are now; in the trash, or not. */
async function editableRow(actor: Actor, { entityType, entityId }: Opened) {
  const present = await presentActor(actor)
  const row = present && (await findRow(definitionOf(entityType), entityId))
  return row && may(present, 'edit', entityType, row.createdBy).allowed ? row : undefined
}

const watchers = new Map<string, Set<() => void>>()

/** Rings when the entity has changed, or who has it open, also when that was before anybody waited for it. */
function createWatcher(entityId: string, signal: AbortSignal) {
  let rings = false
  let answer: (() => void) | undefined
  const ring = (): void => {
    rings = true
    answer?.()
  }
  const own = watchers.get(entityId) ?? new Set()
  watchers.set(entityId, own.add(ring))
  signal.addEventListener('abort', ring)
  startRefreshing()
  return {
    hush: (): void => void (rings = signal.aborted),
    rung: (): Promise<void> =>
      new Promise((resolve) => {
        answer = resolve
        if (rings) resolve()
      }),
    close: (): void => {
      own.delete(ring)
      if (own.size === 0 && watchers.get(entityId) === own) watchers.delete(entityId)
      signal.removeEventListener('abort', ring)
    },
  }
}

onEntityChanged((entityId) => {
  const rung = entityId === '' ? watchers.values() : [watchers.get(entityId) ?? []]
  for (const each of rung) for (const ring of each) ring()
})

let refreshing: NodeJS.Timeout | undefined

function startRefreshing(): void {
  const interval = engine === 'sqlite' || isListening() ? REFRESH_MS : UNHEARD_REFRESH_MS
  refreshing ??= setTimeout(() => void refresh(), interval).unref()
}

async function refresh(): Promise<void> {
  // Out of reach, the database hears of it the next time.
  await rows.refresh().catch(() => undefined)
  for (const each of watchers.values()) for (const ring of each) ring()
  refreshing = undefined
  if (watchers.size > 0) startRefreshing()
}
