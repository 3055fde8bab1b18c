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

/** Fields that every stored entity has. */
export interface Stored {
  _id: string
  version: number
  createdBy?: string | undefined
}

/**
 * Everything that the console knows of one kind. New, Edit, History, the detail frame, the list, row actions and
 * deleting are implemented once (parts/area) and configured by it; where a kind differs, it fills a slot. Each area is
 * a chunk of its own, loaded when one of its screens is opened; what is needed before is in lib/areas.ts.
 *
 * `Query` is the schema of the list's URL parameters, `Row` the form of an entity in the list.
 */
export interface Area<
  Entity extends Stored = Stored,
  Query extends z.ZodMiniObject = z.ZodMiniObject,
  Row extends Stored = Entity,
> extends Pick<Revised, 'written'> {
  kind: Kind
  api: EntityApi
  /** Texts of its screens. */
  texts: (language: Language) => AreaTexts
  nameOf(row: Row, language: Language): Text
  /** Why the signed-in user may not do something, for a button's `reason`; undefined if they may. */
  refusals(me: Me): Refusals<Row>
  list: List<Query, Row> | { Screen: Part<ScreenProps> }
  editor: Editor<Entity>
  /** For a kind with a detail screen; loaded lazily. */
  detail?: () => Promise<Detail<Entity>>
  /** A link to its screen with additional behaviour; by default a plain one. */
  Link?: Part<{ id: string } & Omit<ComponentProps<'a'>, 'href' | 'ref' | 'id'>>
  /** Content of the delete dialog besides the name; by default, where the entity is used. */
  Deleting?: Part<DeletingProps<Row>>
  /**
   * Runs a request, and turns certain refusals of the server into field errors. `body` and `id` are those of the
   * request, if any.
   */
  explain?<T>(act: () => Promise<T>, body?: Fields, id?: string): Promise<T>
}

/**
 * A component. Declared as a method for bivariant props, so that a component for one kind's entities is accepted where
 * one for any entity is expected.
 */
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
  /** Default page size. */
  limit?: number
  /** Builds the query of the list call; by default, the URL parameters. */
  ask?(state: z.output<Query>): object
  /** Reads the rows from the response. */
  rowsOf(answer: unknown): Rows<Row>
  /** Filters above the rows. */
  Filters?: Part<FiltersProps<z.output<Query>>>
  /** Additional buttons of the page, before the Add button. */
  Actions?: Part<object>
  /** Additional buttons of a row, before the common ones. */
  RowActions?: Part<{ row: Row }>
  /** Additional buttons for the selection; `ids` is undefined if everything that matches is selected. */
  Selected?: Part<{ ids: readonly string[] | undefined }>
  /** The pager shows the page number only, without row numbers and total. */
  isUncounted?: true
  /** The pager is only shown with more rows than this; by default always. */
  pagerAbove?: number
  /** A list has a table, cards, or both; with both, the table is shown if the user has chosen columns. */
  table?: {
    columns(props: ColumnsProps<z.output<Query>>): Column<Row>[]
    /** CSS width of the column with the actions. */
    actionsWidth: string
    /** Whether its cells explain themselves, so that phones show them without labels. */
    isDense?: boolean
  }
  cards?: {
    /** `box` is the selection checkbox. */
    Card: Part<{ row: Row; actions: ReactNode; box: ReactNode }>
    Skeleton: Part<object>
    /** Class name of the grid. */
    className: string | undefined
  }
}

export interface ColumnsProps<State> {
  state: State
  onState: (state: Partial<State>) => void
  language: Language
}

/** `total` is undefined if rows are not counted; `isMore`: there are more than `total`. */
export interface Rows<Row> {
  rows: readonly Row[]
  total?: number
  isMore?: boolean
}

export interface FiltersProps<State> {
  /** The filters in the URL. */
  applied: State
  /** With `replace`, no history entry is added. */
  onApply: (filters: Partial<State>, how?: { replace?: boolean }) => void
  onReset: () => void
}

export interface Editor<Entity> {
  schema: z.ZodMiniObject
  /** Schema for a new entity, if it has different fields. */
  schemaOfNew?: z.ZodMiniObject
  /** Initial data of a new entity. */
  start: () => Fields
  /** Fields that hold ids. */
  links?: Links
  /** Height in pixels. */
  height?: number
  /** Fields that must not be stored in drafts, such as a password. */
  secrets?: readonly string[]
  /** Shown beside the text; `value` is the parsed text, or undefined while it is invalid. */
  Beside?: Part<{ id: string | undefined; value: Fields | undefined }>
  /** Components below fields of the form, which explain or set the field's value in another way. */
  beneath?: Readonly<Record<string, Part<BeneathProps>>>
  /** Returns a confirmation to show before saving; undefined if none is needed. */
  review?(body: Fields, id: string | undefined): Promise<Question | undefined>
  /** Called after a change is saved, before the editor is left. */
  onUpdated?(entity: Entity): void
}

export interface BeneathProps {
  /** The field's value, which may be invalid. */
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
  /** The block above the tabs, which contains the h1; by default only the name. */
  Hero?: Part<{ entity: Entity }>
  Body: Part<{ entity: Entity }>
  /** Skeleton of the page; it announces `loading`. */
  Skeleton: Part<{ loading: string }>
}

export interface DeletingProps<Row> {
  row: Row
  /** Called with an action to run before deleting, and the message to show afterwards instead of the area's own. */
  onPrepare: (prepared: Prepared | undefined) => void
}

export interface Prepared {
  before: () => Promise<unknown>
  deleted: string
}

/** Texts that the screens of every kind have; an area adds its own. */
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
    /** A line above the text, for new and for existing entities. */
    hintOfNew?: string
    hint?: string
  }
  detail?: { details: string; loading: string; failed: string }
}
