import { setTimeout as sleep } from 'node:timers/promises'
import type { Editors, PresenceEvent } from '@mokuroku/contract/presence'
import { type Actor, checkPermission } from '#access/permissions.ts'
import { presentActor } from '#access/session.ts'
import { isListening } from '#database/announcements.ts'
import { engine } from '#database/db.ts'
import { type ChangeSignal, createChangeSignal } from '#lib/changeSignal.ts'
import { KeyedListeners } from '#lib/keyedListeners.ts'
import { onEntityChanged } from '#ledger/changes.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import { type Opened, rows } from './rows.ts'

/** How often rows are refreshed, and permissions and editors are checked again, in milliseconds. */
const REFRESH_MS = 7000
/** The same, while writes of other servers are not announced. */
const UNHEARD_REFRESH_MS = 2000
/** Editors who come and go within so many milliseconds are sent as one event. */
const COLLECT_MS = 150

export const presence = { follow }

/**
 * Shows the actor to all others who have the entity open. Yields who they are and which version the entity has, now and
 * after every change. Only users who may edit the entity are shown and get events.
 */
async function* follow(actor: Actor, opened: Opened, signal: AbortSignal): AsyncGenerator<PresenceEvent> {
  const watcher = createWatcher(opened.entityId, signal)
  let shownAs: string | undefined
  let editors: Editors = { entityId: opened.entityId, people: [], count: 0 }
  let version: number | undefined
  try {
    while (!signal.aborted) {
      watcher.reset()
      const row = await editableRow(actor, opened)
      if (row && !row.deletedAt) {
        if (shownAs === undefined || !rows.exists(shownAs)) shownAs = await rows.enter(opened, actor._id)
      } else if (shownAs !== undefined) {
        await rows.leave(shownAs, opened)
        shownAs = undefined
      }
      const now = shownAs === undefined ? { ...editors, people: [], count: 0 } : await rows.editors(opened, actor._id)
      if (JSON.stringify(now) !== JSON.stringify(editors)) yield { event: 'editors', data: now }
      editors = now
      if (row && row.version !== version)
        yield { event: 'version', data: { entityId: opened.entityId, version: row.version } }
      version = row?.version ?? version
      await watcher.wait()
      await sleep(COLLECT_MS, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    watcher.close()
    if (shownAs !== undefined) await rows.leave(shownAs, opened).catch(() => undefined)
  }
}

/** The entity, in the trash or not, if the actor may edit it with their current permissions. */
async function editableRow(actor: Actor, { entityType, entityId }: Opened) {
  const present = await presentActor(actor)
  const row = present && (await findRow(definitionOf(entityType), entityId))
  return row && checkPermission(present, 'edit', entityType, row.createdBy).allowed ? row : undefined
}

const watchers = new KeyedListeners()

/** Waits for changes of the entity or its editors. */
function createWatcher(entityId: string, signal: AbortSignal): ChangeSignal {
  startRefreshing()
  return createChangeSignal((changed) => watchers.add(entityId, changed), signal)
}

onEntityChanged((entityId) => watchers.notify(entityId))

let refreshing: NodeJS.Timeout | undefined

function startRefreshing(): void {
  const interval = engine === 'sqlite' || isListening() ? REFRESH_MS : UNHEARD_REFRESH_MS
  refreshing ??= setTimeout(() => void refresh(), interval).unref()
}

async function refresh(): Promise<void> {
  // If the database is unreachable, the next refresh tries again.
  await rows.refresh().catch(() => undefined)
  watchers.notify('')
  refreshing = undefined
  if (watchers.keys().length > 0) startRefreshing()
}
