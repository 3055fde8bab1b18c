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
  /** Asks for it as it stands now; left out for a new one. */
  load?: () => Promise<Stored>
  /** Above the document: what is edited. */
  head?: ReactNode
  /** Before the buttons of the page. */
  beside?: ReactNode
  /** Below the text. */
  below?: ReactNode
  /** The editor of its kind. */
  editor: Omit<Editor<never>, 'start' | 'onUpdated'>
  of: Edited
  /** The titles of the ids that it holds. */
  names: Names
  /** What makes entries where they are picked. */
  makeByName: (index: Index) => MakeByName | undefined
  /** Why it may not be changed. */
  refusal?: string | undefined
  /** Where its history is, when no screen but this one leads there. */
  history?: string | undefined
  /** A line above the text, for who may change it. */
  hint?: string | undefined
}

/** What is edited. */
interface Edited {
  kind: Kind
  /** What its drafts belong to: `media/new`, `media/0198…`. */
  key: string
  /** What stands on the server, or what a new one starts from. Read once. */
  start: Fields
  /** Its id and its version on the server; a new one has none. */
  id?: string
  version?: number
}
