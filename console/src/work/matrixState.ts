import { createStore } from '#lib/createStore.ts'
import type { Fields } from '#lib/editorText.ts'
import type { VersionConflict } from '#lib/versionConflict.ts'
import type { Stored } from '#parts/area/area.ts'
import { textIn } from './deskState.ts'
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
export interface Change {
  place: Place
  before: string
  after: string
}

export interface State {
  rows: readonly MatrixRow[]
  cells: Readonly<Record<string, Cell>>
  /** What was written, oldest first; what was pasted at once is undone at once. */
  acts: readonly (readonly Change[])[]
}

export interface Page {
  task: Task
  user: string
  rows: readonly MatrixRow[]
  languages: readonly string[]
}

export type MatrixState = ReturnType<typeof createMatrixState>

const keyOf = ({ id, language }: Place) => `${id} ${language}`

/** The state behind the matrix: the stored rows, what was typed into their cells, and the drafts of that. */
export function createMatrixState(page: Page) {
  const { task, user, rows } = page
  const drafts = draftsIn(user, task)
  const store = createStore<State>({ rows, cells: draftedCells(page, drafts), acts: [] })
  const set = (change: Partial<State>) => store.set({ ...store.get(), ...change })
  const rowOf = (id: string) => store.get().rows.find((row) => row._id === id)
  const cellOf = (place: Place): Cell | undefined => store.get().cells[keyOf(place)]
  const baseOf = (place: Place) => cellOf(place)?.base
  const storedText = ({ id, language }: Place) => textIn(rowOf(id), language, task.field)
  return {
    drafts,
    use: store.use,
    acts: () => store.get().acts,
    setActs: (acts: State['acts']) => set({ acts }),
    rowOf,
    setRow: (row: MatrixRow) => set({ rows: store.get().rows.map((each) => (each._id === row._id ? row : each)) }),
    cellOf,
    setCell: (place: Place, cell: Cell | undefined) => {
      const { [keyOf(place)]: _, ...others } = store.get().cells
      set({ cells: cell ? { ...others, [keyOf(place)]: cell } : others })
    },
    baseOf,
    storedText,
    /** The text in a cell: what was typed, or else what is stored. */
    textOf: (place: Place): string => cellOf(place)?.text ?? storedText(place),
    /** Stores a text as a draft. */
    keep: (place: Place, text: string) => {
      const row = rowOf(place.id)
      if (row) drafts.keep(place, { text, base: storedText(place), version: baseOf(place) ?? row.version })
    },
  }
}

function draftedCells({ task, rows, languages }: Page, drafts: ReturnType<typeof draftsIn>): State['cells'] {
  const places = rows.flatMap((row) => languages.map((language) => ({ row, place: { id: row._id, language } })))
  return Object.fromEntries(
    places.flatMap(({ row, place }) => {
      const draft = drafts.find(place, textIn(row, place.language, task.field))
      return draft ? [[keyOf(place), { text: draft.text, state: 'draft' as const, base: draft.version }]] : []
    }),
  )
}
