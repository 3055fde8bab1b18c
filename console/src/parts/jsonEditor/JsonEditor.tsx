import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, invertedEffects, redo, undo } from '@codemirror/commands'
import { json, jsonLanguage } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { gotoLine, highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension, StateEffect, StateField, Transaction } from '@codemirror/state'
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
} from '@codemirror/view'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import type * as z from 'zod/mini'
import { completeBy, type Options, type TitledCompletion } from './completion.ts'
import { createPanel } from './FindPanel.tsx'
import { editorTheme } from './theme.ts'
import type { Names } from './idNames.ts'
import type { Span, TextChange } from './place.ts'
import { jsonSchemaOf } from './schema.ts'
import { strings } from './strings.ts'
import { titles } from './titles.ts'

export interface Problem extends Span {
  message: string
  /** Whether it is a finding rather than an error. */
  isWarning?: true
}

export interface JsonEditorHandle<Origin> {
  /** Replaces the text as one change, which can be undone together with `origin`. */
  replace: (text: string, origin: Origin) => void
  /** Changes only the origin, which is not undone. */
  rebase: (origin: Origin) => void
  /** Changes parts of the text. With 'typing', changes in quick succession are undone together. */
  change: (changes: (text: string) => readonly TextChange[], how: 'typing' | 'at once') => void
  undo: () => void
  redo: () => void
  /** Selects a span and scrolls to it. */
  show: (span: Span) => void
  /** Position of the cursor. */
  position: () => number
}

interface Props<Origin> extends Pick<Options, 'links' | 'search' | 'openNames'> {
  ref: Ref<JsonEditorHandle<Origin>>
  label: string
  /** Ids of the elements that describe it: the lists of problems. */
  describedBy: string
  /** Initial text; afterwards the editor owns its text. */
  text: string
  /** The version that the text is based on. Part of the undo history: undo restores it together with the text. */
  origin: Origin
  onChange: (text: string, origin: Origin) => void
  schema: z.ZodMiniType
  names: Names
  /** Problems of the current text. */
  problems: readonly Problem[]
  readOnly: boolean
  /** Height in pixels. */
  height: number
  /** CodeMirror's UI texts in the console's language. */
  phrases: Readonly<Record<string, string>>
}

export function JsonEditor<Origin>({ ref, problems, readOnly, ...props }: Props<Origin>) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor<Origin>>(undefined)
  const latest = useRef(props)
  useEffect(() => void (latest.current = props))
  useEffect(() => {
    if (!host.current) return
    const made = open(host.current, latest)
    editor.current = made
    return () => made.view.destroy()
  }, [])
  useEffect(() => editor.current?.lock(readOnly), [readOnly])
  // Deferred: a panel that opens is rendered during an editor update, which may run this effect. Updates cannot nest.
  useEffect(() => queueMicrotask(() => editor.current?.mark(problems)), [problems])
  useImperativeHandle(ref, () => ({
    replace: (text, origin) => editor.current?.replace(text, origin),
    rebase: (origin) => editor.current?.rebase(origin),
    change: (changes, how) => editor.current?.change(changes, how),
    undo: () => void (editor.current && undo(editor.current.view)),
    redo: () => void (editor.current && redo(editor.current.view)),
    show: (span) => editor.current?.show(span),
    position: () => editor.current?.view.state.selection.main.head ?? 0,
  }))
  // The editor is only opened after the first frame.
  return <div ref={host} style={{ minHeight: props.height }} />
}

type Editor<Origin> = ReturnType<typeof open<Origin>>

function open<Origin>(parent: HTMLElement, latest: { current: Omit<Props<Origin>, 'ref' | 'problems' | 'readOnly'> }) {
  const { text, origin, label, describedBy, schema, names, links, height, phrases } = latest.current
  const setOrigin = StateEffect.define<Origin>()
  const origins = StateField.define<Origin>({
    create: () => origin,
    update: (value, { effects }) => effects.find((effect) => effect.is(setOrigin))?.value ?? value,
  })
  const locked = new Compartment()
  const completion = completeBy({
    schema: jsonSchemaOf(schema),
    links,
    // A getter, because the languages in use are loaded after the editor has opened.
    get openNames() {
      return latest.current.openNames
    },
    search: (index, words) => latest.current.search(index, words),
    onChosen: ({ id, text: title, lang }) => names.learn(id, { text: title, lang }),
  })
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        editing(height),
        origins,
        invertedEffects.of(({ startState, effects }) =>
          effects.some((effect) => effect.is(setOrigin)) ? [setOrigin.of(startState.field(origins))] : [],
        ),
        locked.of([]),
        titles(links, names, phrases['not found'] ?? 'not found'),
        jsonLanguage.data.of({ autocomplete: completion }),
        EditorState.phrases.of(phrases),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-describedby': describedBy,
          spellcheck: 'false',
          tabindex: '0',
        }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          const originChanged = transactions.some(({ effects }) => effects.some((effect) => effect.is(setOrigin)))
          if (docChanged || originChanged) latest.current.onChange(state.doc.toString(), state.field(origins))
        }),
      ],
    }),
  })
  return {
    view,
    lock: (on: boolean) => view.dispatch({ effects: locked.reconfigure(EditorState.readOnly.of(on)) }),
    mark: (problems: readonly Problem[]) => {
      const end = view.state.doc.length
      const marks = problems.map(({ from, to, message, isWarning }) => ({
        from: Math.min(from, end),
        to: Math.min(to, end),
        message,
        severity: isWarning ? ('warning' as const) : ('error' as const),
      }))
      view.dispatch(setDiagnostics(view.state, marks))
    },
    replace: (next: string, from: Origin) =>
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        effects: setOrigin.of(from),
        selection: { anchor: 0 },
        userEvent: 'input.replace',
      }),
    rebase: (from: Origin) =>
      view.dispatch({ effects: setOrigin.of(from), annotations: Transaction.addToHistory.of(false) }),
    change: (changes: (text: string) => readonly TextChange[], how: 'typing' | 'at once') =>
      view.dispatch({
        changes: changes(view.state.doc.toString()),
        userEvent: how === 'typing' ? 'input.type.form' : 'input.form',
      }),
    show: ({ from, to }: Span) => {
      const end = view.state.doc.length
      view.dispatch({
        selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
        effects: EditorView.scrollIntoView(Math.min(from, end), { y: 'center' }),
      })
      view.focus()
    },
  }
}

/** Tab is not bound, so that keyboard focus can leave the editor. */
const editing = (height: number): Extension => [
  lineNumbers(),
  foldGutter(),
  lintGutter(),
  history(),
  drawSelection(),
  dropCursor(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  search({ top: true, createPanel }),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  EditorState.tabSize.of(2),
  indentUnit.of('  '),
  EditorView.lineWrapping,
  json(),
  strings(),
  // Enter accepts a completion without the default delay, because the option that it takes is highlighted.
  autocompletion({
    icons: false,
    interactionDelay: 0,
    optionClass,
    addToOptions: [{ render: renderTitle, position: 50 }],
  }),
  tooltips({ position: 'fixed' }),
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    // Without "go to line", which would open CodeMirror's own panel; the list of problems leads to lines.
    ...searchKeymap.filter(({ run }) => run !== gotoLine),
    ...historyKeymap,
    ...foldKeymap,
    ...completionKeymap,
    ...lintKeymap,
  ]),
  editorTheme(height),
]

const optionClass = (completion: TitledCompletion) => (completion.titled ? 'cm-titled' : '')

/** The title in its own language; CodeMirror's label beside it is hidden. */
function renderTitle({ titled }: TitledCompletion) {
  if (!titled) return null
  const span = document.createElement('span')
  span.textContent = titled.text
  if (titled.lang) span.lang = titled.lang
  return span
}
