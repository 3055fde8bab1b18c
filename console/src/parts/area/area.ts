import type { Me } from '@mokuroku/contract/auth'
import type { Route } from '@mokuroku/contract/route'
import type { ComponentProps, ReactNode } from 'react'
import type * as z from 'zod/mini'
import type { Language } from '#i18n/messages.ts'
import type { Fields } from '#lib/editorText.ts'
import type { Text } from '#lib/text.ts'
import type { Kind } from '#lib/areas.ts'
import type { Revised } from '#parts/history/revised.ts'
import type { Links } from '#parts/jsonEditor/idNames.ts'
import type { DeleteTexts } from '#parts/useDelete.tsx'
import type { Column } from '#ui/Table.tsx'

/** What every stored thing has. */
export interface Stored {
  _id: string
  version: number
  createdBy?: string | undefined
}

/**
 * All that the console knows of one kind of thing. New, Edit, History, the detail frame, the list, the actions of a row
 * and deleting are written once (parts/area) and read from it; where a kind differs it fills a slot. An area comes as a
 * chunk of its own when one of its screens is opened: what is needed before that stands in lib/areas.ts.
 *
 * `Query` is what the address of the list may hold, `Row` what the list shows of an entity.
 */
export interface Area<
  Entity extends Stored = Stored,
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Row extends Stored = Entity,
> extends Pick<Revised, 'written'> {
  kind: Kind
  api: EntityApi
  /** The sentences of its screens. */
  texts: (language: Language) => AreaTexts
  nameOf(row: Row, language: Language): Text
  /** Why the signed-in user may not do something, in words for a button's `reason`; undefined where they may. */
  refusals(me: Me): Refusals<Row>
  list: List<Query, Row> | { Screen: Part<ScreenProps> }
  editor: Editor<Entity>
  /** Of a kind with a screen of its own, as a chunk. */
  detail?: () => Promise<Detail<Entity>>
  /** A link to its screen that does more than lead there; left out, a plain one. */
  Link?: Part<{ id: string } & Omit<ComponentProps<'a'>, 'href' | 'ref' | 'id'>>
  /** What the question before a delete says besides the name; left out, where the thing is used. */
  Deleting?: Part<DeletingProps<Row>>
  /** Does what is sent; says what the server refuses at the value it is about. `body` and `id` where there are any. */
  explain?<T>(act: () => Promise<T>, body?: Fields, id?: string): Promise<T>
}

/** A component; as a method is, so that one for a kind's own things may stand where one for any thing is asked for. */
type Part<Props> = { render(props: Props): ReactNode }['render']

export interface ScreenProps {
  area: Area
}

export interface EntityApi {
  list: Route
  find: Route
  create: Route
  update: Route
  remove: Route
  restore: Route
  uses?: Route
}

export interface Refusals<Row> {
  create: string | undefined
  edit(row: Row): string | undefined
  delete(row: Row): string | undefined
}

export interface List<Query extends z.ZodMiniObject, Row extends Stored> {
  query: Query
  /** Rows of a page where the address does not say. */
  limit?: number
  /** The query of the call that lists them; left out, as the address says it. */
  ask?(state: z.output<Query>): object
  /** Where its answer has them. */
  rowsOf(answer: unknown): Rows<Row>
  /** The line above the rows. */
  Filters?: Part<FiltersProps<z.output<Query>>>
  /** Further buttons of the page, before the one that adds. */
  Actions?: Part<object>
  /** Further buttons of a row, before those that every kind has. */
  RowActions?: Part<{ row: Row }>
  /** Further buttons of the selection; `ids` is undefined where everything that matches is selected. */
  Selected?: Part<{ ids: readonly string[] | undefined }>
  /** Its pager says the page, and not which rows of how many. */
  isUncounted?: true
  /** A pager stands only where there are more rows than this; left out, always. */
  pagerAbove?: number
  /** As a table, or else as cards. */
  table?: {
    columns(props: ColumnsProps<z.output<Query>>): Column<Row>[]
    /** A CSS length, of the column with the actions. */
    actionsWidth: string
    /** A class name for what is around it. */
    className?: string | undefined
  }
  cards?: {
    /** `box` selects it. */
    Card: Part<{ row: Row; actions: ReactNode; box: ReactNode }>
    Skeleton: Part<object>
    /** The class name of the grid. */
    className: string | undefined
  }
}

export interface ColumnsProps<State> {
  state: State
  onState: (state: Partial<State>) => void
  language: Language
}

/** `total` is left out where nobody counts; `isMore` when there are more than that. */
export interface Rows<Row> {
  rows: readonly Row[]
  total?: number
  isMore?: boolean
}

export interface FiltersProps<State> {
  /** What the address says. */
  applied: State
  /** With `replace`, Back does not lead through what stood there before. */
  onApply: (filters: Partial<State>, how?: { replace?: boolean }) => void
  onReset: () => void
}

export interface Editor<Entity> {
  schema: z.ZodMiniObject
  /** Of a new one, where it takes other fields. */
  schemaOfNew?: z.ZodMiniObject
  /** What a new one starts from. */
  start: () => Fields
  /** Which fields hold ids. */
  links?: Links
  /** Pixels. */
  height?: number
  /** Fields that no draft may hold: a password. */
  secrets?: readonly string[]
  /** What stands beside the text, about what it says: `value` is undefined while it cannot be saved. */
  Beside?: Part<{ id: string | undefined; value: Fields | undefined }>
  /** What stands beneath fields of the form, and says or sets their value in other words. */
  beneath?: Readonly<Record<string, Part<BeneathProps>>>
  /** What is asked before the text is sent, by a question of its own; nothing when it may be sent at once. */
  review?(body: Fields, id: string | undefined): Promise<Question | undefined>
  /** After a change is saved, before the editor is left. */
  onUpdated?(entity: Entity): void
}

export interface BeneathProps {
  /** Of the field, whatever somebody wrote there. */
  value: unknown
  isReadOnly: boolean
  onValue: (value: unknown) => void
}

export interface Question {
  title: string
  confirm: string
  body: ReactNode
}

export interface Detail<Entity> {
  /** The block above the views, which holds the h1; left out, the name alone. */
  Hero?: Part<{ entity: Entity }>
  Body: Part<{ entity: Entity }>
  /** The shape of the page while it is on its way; it says `loading`. */
  Skeleton: Part<{ loading: string }>
}

export interface DeletingProps<Row> {
  row: Row
  /** Called with what is done before it is deleted, and what is said afterwards instead of the area's own sentence. */
  onPrepare: (prepared: Prepared | undefined) => void
}

export interface Prepared {
  before: () => Promise<unknown>
  deleted: string
}

/** The sentences that the screens of every kind have; an area has more of its own beside them. */
export interface AreaTexts extends DeleteTexts {
  title: string
  subtitle: string
  back: string
  loading: string
  failed: string
  empty: string
  emptyFiltered?: string
  emptyCatalogue?: string
  notFound: string
  notFoundHint: string
  editor: {
    new: string
    edit: string
    created: string
    updated: string
    createFailed: string
    updateFailed: string
    loadFailed: string
    /** A line above the text, of a new one and of one that is there. */
    hintOfNew?: string
    hint?: string
  }
  detail?: { details: string; loading: string; failed: string }
}
