import type { Kind } from '@mokuroku/contract/kinds'
import type { Fields } from '#lib/editorText.ts'
import type { Editor, Stored } from '#parts/area/area.ts'
import type { MakeByName } from '#parts/area/makeByName.ts'
import type { Index, Names } from '#parts/jsonEditor/idNames.ts'
import type { ReactNode } from 'react'
import type { Saving } from './useSave.ts'

export interface EntityEditorProps<Entity> extends Saving<Entity> {
  title: string
  back: { to: string; label: string }
  /** Fetches the current entity; undefined for a new one. */
  load?: () => Promise<Stored>
  /** Shown above the document: what is edited. */
  head?: ReactNode
  /** Shown before the buttons of the page. */
  beside?: ReactNode
  /** Shown below the text. */
  below?: ReactNode
  /** Editor configuration of the kind. */
  editor: Omit<Editor<never>, 'start' | 'onUpdated'>
  edited: Edited
  /** Titles by the ids in the document. */
  names: Names
  /** Returns the function that creates entities of an index from within a picker. */
  makeByName: (index: Index) => MakeByName | undefined
  /** Why the user may not edit it. */
  refusal?: string | undefined
  /** Path of its history, if no other screen links to it. */
  history?: string | undefined
  /** A line above the text, for users who may edit. */
  hint?: string | undefined
}

/** The entity being edited. */
interface Edited {
  kind: Kind
  /** Key of its drafts: `media/new`, `media/0198…`. */
  key: string
  /** The stored fields, or the initial data of a new entity. Only read once. */
  start: Fields
  /** Id and version on the server; undefined for a new entity. */
  id?: string
  version?: number
}
