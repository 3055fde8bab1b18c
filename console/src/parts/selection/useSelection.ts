import type { Me } from '@mokuroku/contract/auth'
import { MAX_BULK_IDS } from '@mokuroku/contract/bulk'
import { useEffect, useState } from 'react'
import { useMe } from '#api/session.ts'
import { isTranslated, type Translated } from '@mokuroku/contract/kinds'
import { extended, isSelected, NOTHING, pageToggled, type Selection, toggled } from '#lib/selection.ts'
import { count } from '#lib/sizes.ts'
import { useLanguage } from '#i18n/messages.ts'
import type { Area, Rows, Stored } from '#parts/area/area.ts'
import { changeKept, useKeptState } from '#parts/useKeptState.ts'
import { toast } from '#ui/toast.ts'
import { stepRow } from '#ui/useRowKeys.ts'
import { isCovered, isTyping, useShortcut } from '#ui/useShortcut.ts'
import { selectTexts } from './selectTexts.ts'

/** Asks for the focus on the actions on the selection; no action has this name. */
export const ACTIONS = 'actions'

export interface Selecting extends Selected<Stored> {
  kind: Translated
  /** Whether the user may change any of the rows; if not, nothing is selected. */
  isOffered: boolean
}

/** The selected rows of a list, and functions to select rows. */
export interface Selected<Row> {
  selection: Selection<Row>
  /** Number of selected rows; if everything is selected, the number of matches. */
  size: number
  isSelected(id: string): boolean
  /** Selects or deselects a row; with `isRange`, selects all rows from the last one to it. */
  toggle(id: string, isRange?: boolean): void
  togglePage(): void
  isPage: boolean
  /** Whether the page has rows: not while they are loading. */
  hasRows: boolean
  selectAll(): void
  clear(): void
  /** Whether it was kept while other screens were open: some of its rows may be gone. */
  wasKept: boolean
  /** Deselects these rows. */
  drop(ids: ReadonlySet<string>): void
  /** Clears it for the user: the focus moves from the bar, which is removed, to the last selected row. */
  cancel(): void
}

/**
 * The selection in the list of a kind with bulk changes; undefined for other kinds. It persists across pages, and while
 * other screens are open; it is cleared when `filters` changes.
 */
export function useSelection(area: Area, filters: string, found: Rows<Stored> | undefined): Selecting | undefined {
  const { kind } = area
  const me = useMe()
  const refusals = area.refusals(me)
  const own = ownOf(me)
  const isOffered = isTranslated(kind) && (refusals.edit(own) === undefined || refusals.delete(own) === undefined)
  const selected = useSelected({ isOffered, filters: kind + filters, found, whenLeft: true })
  return isTranslated(kind) ? { kind, isOffered, ...selected } : undefined
}

/** Removes an entity that was deleted from the selections of lists that were left. */
export const deselectKept = (id: string) =>
  changeKept<Selection<Stored>>('selection', (selection) => ({
    ...selection,
    rows: selection.rows.filter(({ _id }) => _id !== id),
  }))

/** A stand-in for an entity of the user's own: if they may not edit it, they may not edit any. */
export const ownOf = ({ _id: createdBy }: Me): Stored => ({ _id: '', version: 0, createdBy })

interface Options<Row> {
  /** Whether there is any action on the selection. */
  isOffered: boolean
  /** The list and its filters: the selection ends when they change, and is kept under this name. */
  filters: string
  found: Rows<Row> | undefined
  /** Whether all matches can be selected; true by default. */
  hasAll?: boolean
  /** Whether the selection is kept while other screens are open. */
  whenLeft?: boolean
}

/** As `useSelection`, for rows of any type. */
export function useSelected<Row extends { _id: string }>({
  isOffered,
  filters,
  found,
  hasAll = true,
  whenLeft,
}: Options<Row>): Selected<Row> {
  const language = useLanguage()
  const texts = selectTexts.use()
  const [selection, setSelection] = useKeptState<Selection<Row>>(`selection ${filters}`, NOTHING, undefined, whenLeft)
  const [wasKept] = useState(selection.rows.length > 0)
  const page = found?.rows ?? []
  const matches = selection.isAll ? (found?.total ?? page.length) : selection.rows.length
  const size = isOffered ? matches : 0
  const isPage = page.length > 0 && page.every(({ _id }) => isSelected(selection, _id))

  const set = (next: Selection<Row>) => {
    if (next.rows.length > MAX_BULK_IDS) toast.info(texts.tooMany(count(MAX_BULK_IDS, language)))
    else setSelection(next)
  }
  const toggle = (id: string, isRange = false) =>
    set(isRange ? extended(selection, id, page) : toggled(selection, id, page))
  const clear = () => setSelection(NOTHING)
  const cancel = () => {
    const isInBar = document.activeElement?.closest('[data-selection]')
    const row = selection.rows.findLast(({ _id }) => page.some((each) => each._id === _id)) ?? page[0]
    if (isInBar && row) document.querySelector<HTMLElement>(`[data-select="${row._id}"]`)?.focus()
    clear()
  }
  const selectAll = () => hasAll && setSelection({ ...NOTHING, isAll: true })

  const [seen, setSeen] = useState(filters)
  const [clearings, setClearings] = useState(0)
  if (seen !== filters) {
    setSeen(filters)
    if (size > 0) setClearings(clearings + 1)
    clear()
  }
  useEffect(() => {
    if (clearings > 0) toast.info(selectTexts.get().cleared)
  }, [clearings])

  const keys = { isOffered, selection, page, isPage, set, toggle, cancel, selectAll, size }
  useKeys(keys)
  return {
    selection,
    size,
    isPage,
    hasRows: page.length > 0,
    isSelected: (id) => isSelected(selection, id),
    toggle,
    togglePage: () => set(pageToggled(selection, page)),
    selectAll,
    clear,
    wasKept,
    drop: (ids) => setSelection((now) => ({ ...now, rows: now.rows.filter(({ _id }) => !ids.has(_id)) })),
    cancel,
  }
}

interface Keys<Row> extends Pick<Selected<Row>, 'selection' | 'size' | 'isPage' | 'selectAll' | 'cancel'> {
  isOffered: boolean
  page: readonly Row[]
  set: (next: Selection<Row>) => void
  toggle: (id: string, isRange?: boolean) => void
}

/**
 * Keyboard shortcuts: x selects the focused row, Shift extends the range, Ctrl+A selects the page and then all matches,
 * Escape clears the selection.
 */
function useKeys<Row extends { _id: string }>({
  isOffered,
  selection,
  page,
  isPage,
  size,
  set,
  toggle,
  selectAll,
  cancel,
}: Keys<Row>) {
  const onRow = (isRange: boolean) => {
    const id = isOffered ? focusedRow() : undefined
    if (id === undefined) return false
    return toggle(id, isRange)
  }
  const extendBy = (by: 1 | -1) => {
    const before = isOffered ? focusedRow() : undefined
    if (before === undefined) return false
    stepRow(by)
    return set(extended({ ...selection, anchor: selection.anchor ?? before }, focusedRow() ?? before, page))
  }
  useShortcut('x', () => onRow(false))
  useShortcut('X', () => onRow(true))
  useShortcut('J', () => extendBy(1))
  useShortcut('K', () => extendBy(-1))
  useShortcut('mod+a', ({ target }) => {
    if (!isOffered || page.length === 0 || isTyping(target) || isCovered()) return false
    return isPage ? selectAll() : set(pageToggled(selection, page))
  })
  useShortcut('Escape', ({ target }) => {
    // An open popup is closed first.
    const isInside = target instanceof Element && target.closest('[role="dialog"]') !== null
    return size > 0 && !isInside ? cancel() : false
  })
}

/** The id of the focused row. */
const focusedRow = () =>
  document.activeElement?.closest('[data-list-row]')?.querySelector<HTMLElement>('[data-select]')?.dataset.select
