import { messageOf } from '#i18n/errors.ts'
import { createStore } from '#lib/createStore.ts'
import { editable, type Fields } from '#lib/editorText.ts'
import { type VersionConflict, versionConflictOf } from '#lib/versionConflict.ts'
import type { Area, Stored } from '#parts/area/area.ts'
import { update } from '#parts/area/calls.ts'
import { textIn, withText } from './deskState.ts'
import { draftsIn, type Place } from './draft.ts'
import type { Task } from './target.ts'

/** The state of a typed text: `draft` was typed on an earlier visit, `conflict` was also changed by others. */
export interface Cell {
  text: string
  state: 'draft' | 'saving' | 'saved' | 'failed' | 'conflict'
  reason?: string
  stale?: VersionConflict
  /** The version that an unsaved text began with, if it is not the row's. */
  base?: number | undefined
}

export type MatrixRow = Stored & Fields

/** A change to a cell that can be undone. */
interface Change {
  place: Place
  before: string
  after: string
}

interface State {
  rows: readonly MatrixRow[]
  cells: Readonly<Record<string, Cell>>
  /** What was written, oldest first; what was pasted at once is undone at once. */
  acts: readonly (readonly Change[])[]
}

export type MatrixStore = ReturnType<typeof createMatrix>

const keyOf = ({ id, language }: Place) => `${id} ${language}`

interface Options {
  area: Area
  task: Task
  user: string
  rows: readonly MatrixRow[]
  languages: readonly string[]
  /** Called if a save was refused after the matrix was left. */
  onLost: (error: unknown) => void
}

/** The texts of a page of entities, each of which is saved on its own. */
export function createMatrix({ area, task, user, rows, languages, onLost }: Options) {
  const drafts = draftsIn(user, task)
  const store = createStore<State>({ rows, cells: draftedCells(), acts: [] })
  /** The saves of each row run one after the other, because each is based on the previous result. */
  const saves = new Map<string, Promise<void>>()
  /** Whether the user has left the matrix. */
  let hasLeft = false

  function draftedCells(): State['cells'] {
    const places = rows.flatMap((row) => languages.map((language) => ({ row, place: { id: row._id, language } })))
    return Object.fromEntries(
      places.flatMap(({ row, place }) => {
        const draft = drafts.find(place, textIn(row, place.language, task.field))
        return draft ? [[keyOf(place), { text: draft.text, state: 'draft' as const, base: draft.version }]] : []
      }),
    )
  }

  const rowOf = (id: string) => store.get().rows.find((row) => row._id === id)
  const storedText = ({ id, language }: Place) => textIn(rowOf(id), language, task.field)
  const cellOf = (place: Place): Cell | undefined => store.get().cells[keyOf(place)]
  const baseOf = (place: Place) => cellOf(place)?.base
  const set = (change: Partial<State>) => store.set({ ...store.get(), ...change })
  const setCell = (place: Place, cell: Cell | undefined) => {
    const { [keyOf(place)]: _, ...others } = store.get().cells
    set({ cells: cell ? { ...others, [keyOf(place)]: cell } : others })
  }
  const setRow = (row: MatrixRow) => set({ rows: store.get().rows.map((each) => (each._id === row._id ? row : each)) })

  async function send(place: Place, text: string, stale?: VersionConflict): Promise<void> {
    const row = rowOf(place.id)
    if (!row) return
    const base = baseOf(place) ?? row.version
    const { schema } = area.editor
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

  function keep(place: Place, text: string): void {
    const row = rowOf(place.id)
    if (row) drafts.keep(place, { text, base: storedText(place), version: baseOf(place) ?? row.version })
  }

  function save(place: Place, text: string, stale?: VersionConflict): void {
    keep(place, text)
    setCell(place, { text, state: 'saving', base: baseOf(place) })
    const before = saves.get(place.id) ?? Promise.resolve()
    saves.set(
      place.id,
      before.then(() => send(place, text, stale)),
    )
  }

  /** Saves a text, unless it equals what is stored. */
  function write(place: Place, text: string): void {
    if (text === storedText(place) && cellOf(place)?.state !== 'saving') {
      drafts.drop(place)
      setCell(place, undefined)
    } else save(place, text)
  }

  /** The text in a cell: what was typed, or else what is stored. */
  const textOf = (place: Place): string => cellOf(place)?.text ?? storedText(place)
  /** What undoing a write restores: a text that was not saved is not. */
  const sentText = (place: Place) => {
    const cell = cellOf(place)
    return cell?.state === 'saving' ? cell.text : storedText(place)
  }

  return {
    use: store.use,
    cellOf,
    storedText,
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
      if (act.length > 0) set({ acts: [...store.get().acts, act] })
    },
    /** Undoes the last write that is still there, and returns its first cell; undefined if there is none. */
    undo: (): Place | undefined => {
      const { acts } = store.get()
      const isThere = ({ place, after }: Change) => textOf(place) === after
      const at = acts.findLastIndex((act) => act.some(isThere))
      const changes = acts[at]?.filter(isThere) ?? []
      set({ acts: acts.slice(0, Math.max(0, at)) })
      for (const { place, before } of changes) write(place, before)
      return changes[0]?.place
    },
    /** Resolves a conflict with the user's text or the others'. */
    settle: (place: Place, side: 'mine' | 'theirs') => {
      const { text = '', stale } = cellOf(place) ?? {}
      const row = rowOf(place.id)
      if (!stale || !row) return
      if (side === 'mine') return save(place, text, stale)
      drafts.drop(place)
      // Another cell of the row may have been saved since.
      if (stale.version > row.version)
        setRow({ ...row, ...editable(area.editor.schema, stale.theirs), version: stale.version })
      setCell(place, undefined)
    },
    /** Starts, or resumes after the matrix was left. */
    start: () => void (hasLeft = false),
    leave: () => {
      hasLeft = true
      drafts.flush()
    },
    flush: drafts.flush,
  }
}
