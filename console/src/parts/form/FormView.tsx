import type { Kind } from '@mokuroku/contract/kinds'
import { isObject } from '@mokuroku/contract/merge'
import { replaceEqualDeep } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { type Ref, type RefObject, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import type { Editor } from '../area/area.ts'
import type { Links, Names } from '../jsonEditor/idNames.ts'
import type { JsonEditorHandle } from '../jsonEditor/JsonEditor.tsx'
import { type JsonSchema, jsonSchemaOf } from '../jsonEditor/schema.ts'
import { changesTo, type Place } from './changes.ts'
import { Field } from './Field.tsx'
import { focusFault, focusPlace } from './focus.ts'
import { type Form as FormApi, FormContext, type Mark, MarksContext } from './form.ts'
import css from './Form.module.css'
import { OtherFields } from './OtherFields.tsx'
import { shapeOf } from './shape.ts'
import { formTexts } from './texts.ts'
import { useUndoKeys } from './useUndoKeys.ts'

export interface FormHandle {
  /** Focuses the field at a place. */
  show: (place: readonly PropertyKey[]) => void
}

interface Props {
  ref?: Ref<FormHandle>
  label: string
  kind: Kind
  editor: Pick<Editor<never>, 'schema' | 'links' | 'secrets' | 'beneath'>
  names: Names
  makeByName: FormApi['makeByName']
  /** The document as JSON. */
  text: string
  marks: readonly Mark[]
  isReadOnly: boolean
  /** How often saving was rejected; each time, the first invalid field gets the focus. */
  refused: number
  /** The editor of the text. */
  handle: RefObject<Pick<JsonEditorHandle<never>, 'change' | 'undo' | 'redo'> | null>
  /** Switches to the JSON view. */
  onJson: () => void
}

const NO_LINKS: Links = {}
const NO_SECRETS: readonly string[] = []
const NOTHING = {}

/**
 * A JSON document as a form, generated from the schema of its kind. The text stays the source of truth: editing a field
 * changes the part of the text with its value, and the form is rendered from the text.
 */
export function FormView(props: Props) {
  const { ref, label, kind, editor, names, makeByName, text, marks, isReadOnly, handle, onJson } = props
  const { schema, links = NO_LINKS, secrets = NO_SECRETS, beneath = NOTHING } = editor
  const texts = formTexts.use()
  const root = useRef<HTMLDivElement>(null)
  const json = useMemo(() => jsonSchemaOf(schema), [schema])
  const document = useDocument(text)
  const [form] = useState(() => ({
    set: (place: Place, value: unknown, how: 'typing' | 'at once' = 'at once') =>
      handle.current?.change((now) => changesTo(now, place, value, (at) => namesAt(json, at)), how),
  }))
  const context = useMemo(
    () => ({ ...form, Field, kind, links, names, makeByName, secrets, beneath, isReadOnly }),
    [form, kind, links, names, makeByName, secrets, beneath, isReadOnly],
  )
  useImperativeHandle(ref, () => ({ show: (place) => root.current && focusPlace(root.current, place) }))
  useUndoKeys(root, handle, isReadOnly)
  useFocus(root, props)
  if (!document)
    return (
      <div ref={root} className={css.broken} role="status">
        <p>{texts.broken}</p>
        <Button icon={Braces} onClick={onJson}>
          {texts.showJson}
        </Button>
      </div>
    )
  const required = new Set(json.required)
  const fields = inOrder(Object.entries(json.properties ?? {}), links)
  return (
    <FormContext value={context}>
      <MarksContext value={marks}>
        <div ref={root} role="group" aria-label={label} className={css.form}>
          {fields.map(([name, each]) => (
            <Field
              key={name}
              place={placeOf(name)}
              schema={each}
              value={document[name]}
              isRequired={required.has(name)}
            />
          ))}
          <OtherFields known={json.properties ?? {}} document={document} />
        </div>
      </MarksContext>
    </FormContext>
  )
}

/** The parsed text; unchanged parts keep their identity. Undefined while the text is not a JSON object. */
function useDocument(text: string): Readonly<Record<string, unknown>> | undefined {
  const [document, setDocument] = useState(() => ({ text, value: objectIn(text) }))
  if (document.text === text) return document.value
  const value = replaceEqualDeep(document.value, objectIn(text))
  setDocument({ text, value })
  return value
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function useFocus(root: React.RefObject<HTMLElement | null>, { refused, marks }: Props) {
  const shown = useRef(refused)
  useEffect(() => {
    // The server's field errors may arrive a moment later.
    const isNew = refused > shown.current && marks.length > 0
    if (isNew && root.current && focusFault(root.current)) shown.current = refused
  }, [refused, marks, root])
}

const namesAt = (schema: JsonSchema, place: Place): string[] => {
  const at = place.reduce<JsonSchema | undefined>((each, step) => each?.properties?.[String(step)], schema)
  return Object.keys(at?.properties ?? {})
}

const PLACES = new Map<string, Place>()
/** The place of a top-level field; the same array every time, so that memoized components are not rendered again. */
function placeOf(name: string): Place {
  const place = PLACES.get(name) ?? [name]
  PLACES.set(name, place)
  return place
}

/** Field order: texts first, then short fields, then lists, then what takes the most space. */
function inOrder(fields: [string, JsonSchema][], links: Links): [string, JsonSchema][] {
  const rank = ([name, schema]: [string, JsonSchema]) => {
    const { is } = shapeOf(schema)
    if (is === 'table') return 0
    if (links[name]) return links[name] === 'assets' && is !== 'list' && is !== 'texts' ? 1 : 4
    if (is === 'texts' || is === 'list') return 3
    return is === 'group' || is === 'entries' || is === 'json' ? 5 : 2
  }
  return fields.toSorted((one, other) => rank(one) - rank(other))
}
