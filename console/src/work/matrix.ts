import { messageOf } from '#i18n/errors.ts'
import { editable } from '#lib/editorText.ts'
import { type VersionConflict, versionConflictOf } from '#lib/versionConflict.ts'
import type { Area } from '#parts/area/area.ts'
import { update } from '#parts/area/calls.ts'
import { withText } from './deskState.ts'
import type { Place } from './draft.ts'
import {
  type Cell,
  type Change,
  createMatrixState,
  type MatrixRow,
  type MatrixState,
  type Page,
} from './matrixState.ts'

export type MatrixStore = ReturnType<typeof createMatrix>

interface Options extends Page {
  area: Area
  /** Called if a save was refused after the matrix was left. */
  onLost: (error: unknown) => void
}

/** The texts of a page of entities, each of which is saved on its own. */
export function createMatrix(options: Options) {
  const { schema } = options.area.editor
  const state = createMatrixState(options)
  const { drafts, rowOf, setRow, cellOf, setCell, storedText, textOf, keep } = state
  const saves = createSaves(state, options)

  /** Saves a text, unless it equals what is stored. */
  function write(place: Place, text: string): void {
    if (text === storedText(place) && cellOf(place)?.state !== 'saving') {
      drafts.drop(place)
      setCell(place, undefined)
    } else saves.save(place, text)
  }

  /** What undoing a write restores: a text that was not saved is not. */
  const sentText = (place: Place) => {
    const cell = cellOf(place)
    return cell?.state === 'saving' ? cell.text : storedText(place)
  }

  return {
    use: state.use,
    cellOf,
    textOf,
    /** Keeps the text being typed as a draft. */
    keep,
    /** Discards what was typed, so that the stored text, or the one that is being saved, is shown again. */
    discard: (place: Place) => {
      const cell = cellOf(place)
      if (cell?.state === 'saving') return keep(place, cell.text)
      drafts.drop(place)
      setCell(place, undefined)
    },
    /** Saves texts, unless they equal what is stored. They are undone together. */
    write: (texts: readonly { place: Place; text: string }[]) => {
      const changes = texts.map(({ place, text }) => ({ place, before: sentText(place), after: text }))
      for (const { place, text } of texts) write(place, text)
      const act = changes.filter(({ before, after }) => before !== after)
      if (act.length > 0) state.setActs([...state.acts(), act])
    },
    /** Saves texts that were not saved, as they are. */
    saveAgain: (places: readonly Place[]) => {
      for (const place of places) saves.save(place, textOf(place))
    },
    /** Undoes the last write that is still there, and returns its first cell; undefined if there is none. */
    undo: (): Place | undefined => {
      const isThere = ({ place, after }: Change) => textOf(place) === after
      const at = state.acts().findLastIndex((act) => act.some(isThere))
      const changes = state.acts()[at]?.filter(isThere) ?? []
      state.setActs(state.acts().slice(0, Math.max(0, at)))
      for (const { place, before } of changes) write(place, before)
      return changes[0]?.place
    },
    /** Resolves a conflict with the user's text or the others'. */
    settle: (place: Place, side: 'mine' | 'theirs') => {
      const { text = '', stale } = cellOf(place) ?? {}
      const row = rowOf(place.id)
      if (!stale || !row) return
      if (side === 'mine') return saves.save(place, text, stale)
      drafts.drop(place)
      // Another cell of the row may have been saved since.
      if (stale.version > row.version) setRow({ ...row, ...editable(schema, stale.theirs), version: stale.version })
      setCell(place, undefined)
    },
    /** Starts, or resumes after the matrix was left. */
    start: saves.start,
    leave: () => {
      saves.leave()
      drafts.flush()
    },
    flush: drafts.flush,
  }
}

/** Saves texts; those of a row one after the other, because each save is based on the result of the previous one. */
function createSaves(state: MatrixState, { area, task, onLost }: Options) {
  const { drafts, rowOf, setRow, cellOf, setCell, baseOf } = state
  const { schema } = area.editor
  /** The last save of each row. */
  const saves = new Map<string, Promise<void>>()
  /** Whether the user has left the matrix. */
  let hasLeft = false

  async function send(place: Place, text: string, stale?: VersionConflict): Promise<void> {
    const row = rowOf(place.id)
    if (!row) return
    const base = baseOf(place) ?? row.version
    // A later text of the cell is still to be saved.
    const end = (cell: Cell) => cellOf(place)?.text === text && setCell(place, cell)
    const from = editable(schema, stale?.theirs ?? row)
    try {
      const body = withText(from, place.language, task, text)
      const saved = await update(area, place.id, { body, base: stale?.version ?? base, runs: [] })
      drafts.drop(place, text)
      setRow({ ...row, ...editable(schema, saved as MatrixRow), version: saved.version })
      end({ text, state: 'saved' })
    } catch (error) {
      const conflict = versionConflictOf(error)
      const refused = { text, reason: messageOf(error), base }
      end(conflict ? { ...refused, state: 'conflict', stale: conflict } : { ...refused, state: 'failed' })
      if (hasLeft) onLost(error)
    }
  }

  return {
    save: (place: Place, text: string, stale?: VersionConflict) => {
      state.keep(place, text)
      setCell(place, { text, state: 'saving', base: baseOf(place) })
      const previous = saves.get(place.id) ?? Promise.resolve()
      saves.set(
        place.id,
        previous.then(() => send(place, text, stale)),
      )
    },
    start: () => void (hasLeft = false),
    leave: () => void (hasLeft = true),
  }
}
