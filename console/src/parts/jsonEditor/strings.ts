import { acceptCompletion, completionStatus } from '@codemirror/autocomplete'
import { EditorSelection, type EditorState, type Extension, Prec } from '@codemirror/state'
import { EditorView, keymap, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { type Token, tokenize } from './tokens.ts'

/**
 * Keeps line breaks out of strings, where JSON does not allow them: Enter moves out of the string, and pasted text is
 * escaped. If a completion search is pending, Enter waits and accepts its result.
 */
export const strings = (): Extension => [
  pressedEnter,
  Prec.high(keymap.of([{ key: 'Enter', run: (view) => onEnter(view) }])),
  Prec.highest(keymap.of([{ key: 'Escape', run: (view) => forgetEnter(view) }])),
  EditorView.clipboardInputFilter.of((text) => text.replace(/^\uFEFF/, '')),
  EditorView.domEventHandlers({ paste: (event, view) => onPaste(view, event.clipboardData?.getData('text/plain')) }),
]

const pressedEnter = ViewPlugin.fromClass(
  class {
    isHeld = false

    update({ view, state, docChanged, selectionSet }: ViewUpdate) {
      if (docChanged || selectionSet) this.isHeld = false
      if (!this.isHeld || completionStatus(state) === 'pending') return
      this.isHeld = false
      // Deferred, because an update cannot dispatch another one.
      queueMicrotask(() => acceptCompletion(view) || leaveString(view))
    }
  },
)

function onEnter(view: EditorView): boolean {
  if (!stringAt(view.state, view.state.selection.main.head)) return false
  const enter = view.plugin(pressedEnter)
  if (enter && completionStatus(view.state) === 'pending') enter.isHeld = true
  else leaveString(view)
  return true
}

function forgetEnter(view: EditorView): boolean {
  const enter = view.plugin(pressedEnter)
  if (enter) enter.isHeld = false
  return false
}

/** Moves the cursor to the end of the string, and adds its closing quote if missing. */
function leaveString(view: EditorView): boolean {
  const { state } = view
  const change = state.changeByRange((range) => {
    const string = stringAt(state, range.head)
    if (!string) return { range }
    if (string.closed || state.readOnly) return { range: EditorSelection.cursor(string.to) }
    return { changes: { from: string.to, insert: '"' }, range: EditorSelection.cursor(string.to + 1) }
  })
  view.dispatch({ ...change, scrollIntoView: true, userEvent: 'input' })
  return true
}

function onPaste(view: EditorView, text: string | undefined): boolean {
  const { state } = view
  const { from, to } = state.selection.main
  const string = stringAt(state, from)
  if (!text || state.readOnly || !string?.closed || to >= string.to || isInsideOfString(text)) return false
  const escaped = JSON.stringify(text.replaceAll('\r\n', '\n')).slice(1, -1)
  view.dispatch({ ...state.replaceSelection(escaped), scrollIntoView: true, userEvent: 'input.paste' })
  return true
}

/** Whether a text is valid between quotes as it is. */
function isInsideOfString(text: string): boolean {
  try {
    return typeof JSON.parse(`"${text}"`) === 'string'
  } catch {
    return false
  }
}

/** The string around a position, with document positions; undefined before its opening and after its closing quote. */
function stringAt({ doc }: EditorState, pos: number): Token | undefined {
  const line = doc.lineAt(pos)
  const at = pos - line.from
  const string = tokenize(line.text).find(
    ({ kind, closed, from, to }) => kind === 'string' && from < at && (closed ? at < to : at <= to),
  )
  return string && { ...string, from: string.from + line.from, to: string.to + line.from }
}
