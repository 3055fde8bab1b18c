import type { Fields } from '#lib/editorText.ts'
import { dismiss, goTo, noteMerge, save, settle, skip, targetOf, undo } from './actions.ts'
import { createCore, type DeskOptions } from './deskState.ts'
import type { Entry, Offered } from './queue.ts'
import { claim, release, suggest } from './reservations.ts'

export type Desk = ReturnType<typeof createDesk>

/** The desk for one queue: reserves and prefetches entities, saves in the background, and undoes. */
export function createDesk(options: DeskOptions) {
  const core = createCore(options)
  const { area, task, store, get, set, patch, entryOf, languageIn, storedText, drafts } = core
  return {
    area,
    task,
    use: store.use,
    get,
    languageIn,
    storedText,
    /** Starts, or resumes after the desk was left. */
    start: () => {
      core.hasLeft = false
      return claim(core)
    },
    /** Renews the reservations. */
    renew: () => claim(core),
    goTo: (id: string) => goTo(core, id),
    /** `runs` are the ids of the AI runs that the text came from. */
    setText: (id: string, text: string, runs?: readonly string[]) => {
      const entry = entryOf(id)
      patch(id, { text, ...(runs && { runs }) })
      if (entry?.entity)
        drafts.keep(
          { id, language: languageIn(entry) },
          { text, base: storedText(entry), version: entry.base ?? entry.entity.version },
        )
    },
    choose: (id: string, chosen: Fields | undefined) => patch(id, { chosen }),
    offer: (id: string, more: Offered) => patch(id, { suggestions: [...(entryOf(id)?.suggestions ?? []), more] }),
    /** Loads the suggestions again. */
    suggest: (id: string) => suggest(core, id),
    save: () => save(core),
    settle: (entry: Entry, merged: Fields) => settle(core, entry, merged),
    leaveStale: (id: string) => patch(id, { stale: undefined }),
    skip: () => skip(core),
    /** Names of picked entities, by id. */
    names: core.names,
    targetOf: (entry: Entry) => targetOf(core, entry),
    dismiss: () => dismiss(core),
    noteMerge: (batch: string, into: string, from: string) => noteMerge(core, batch, into, from),
    undo: () => undo(core),
    /** Restarts the queue, including skipped entries. */
    restart: () => {
      set({
        entries: [],
        current: undefined,
        acts: [],
        from: '',
        isAtEnd: false,
        progress: { ...get().progress, skipped: 0, after: '' },
      })
      return claim(core)
    },
    leave: (isClosing = false) => release(core, isClosing),
  }
}
