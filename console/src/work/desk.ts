import type { Fields } from '#lib/editorText.ts'
import { dismiss, save, settle, skip, targetOf, undo } from './acting.ts'
import { createCore, type DeskOptions } from './core.ts'
import type { Entry, Offered } from './queue.ts'
import { claim, release } from './reserving.ts'

export type Desk = ReturnType<typeof createDesk>

/** The desk of one queue: it reserves, prefetches, saves in the background, and takes back. */
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
    /** Begins, or goes on after it was left. */
    start: () => {
      core.left.now = false
      return claim(core)
    },
    /** Reserves what is there for another while. */
    renew: () => claim(core),
    goTo: (id: string) => set({ current: id }),
    /** `runs` are the answers of AI that the text is from. */
    setText: (id: string, text: string, runs?: readonly string[]) => {
      const entry = entryOf(id)
      patch(id, { text, ...(runs && { runs }) })
      if (entry?.entity)
        drafts.keep(
          { id, language: languageIn(entry) },
          { text, base: storedText(entry), version: entry.entity.version },
        )
    },
    choose: (id: string, chosen: Fields | undefined) => patch(id, { chosen }),
    offer: (id: string, more: Offered) => patch(id, { suggestions: [...(entryOf(id)?.suggestions ?? []), more] }),
    save: () => save(core),
    settle: (entry: Entry, merged: Fields) => settle(core, entry, merged),
    leaveStale: (id: string) => patch(id, { stale: undefined }),
    skip: () => skip(core),
    /** What the things that were picked are called, by id. */
    names: core.names,
    targetOf: (entry: Entry) => targetOf(core, entry),
    dismiss: () => dismiss(core),
    undo: () => undo(core),
    /** Begins the queue anew, with what was skipped. */
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
