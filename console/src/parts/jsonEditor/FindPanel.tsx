import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search'
import { type EditorView, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view'
import { CaseSensitive, ChevronDown, ChevronUp, type LucideIcon, Regex, WholeWord, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Button, IconButton } from '#ui/Button.tsx'
import { isComposing } from '#ui/composing.ts'
import { TextField } from '#ui/Field.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import css from './FindPanel.module.css'
import { texts as area } from './texts.ts'

/** Maximum number of matches to count. */
const MAX_COUNTED = 999

/** Custom panel for CodeMirror's search: `search({ top: true, createPanel })`. */
export function createPanel(view: EditorView): Panel {
  const dom = document.createElement('div')
  const root = createRoot(dom)
  // CodeMirror's keys for the panel: Escape, and those for the next and previous match.
  dom.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isComposing(event)) return
    if (runScopeHandlers(view, event, 'search-panel')) event.preventDefault()
  })
  const render = () => root.render(<FindPanel view={view} query={getSearchQuery(view.state)} />)
  // Synchronously, because CodeMirror focuses the field as soon as the panel is in the document.
  flushSync(render)
  return {
    dom,
    top: true,
    mount: () => {
      const field = dom.querySelector<HTMLInputElement>('[main-field]')
      field?.focus()
      field?.select()
    },
    update: ({ docChanged, selectionSet, transactions }: ViewUpdate) => {
      const isNew = transactions.some(({ effects }) => effects.some((effect) => effect.is(setSearchQuery)))
      if (docChanged || selectionSet || isNew) render()
    },
    // Deferred, because React may be rendering the editor's parent.
    destroy: () => queueMicrotask(() => root.unmount()),
  }
}

interface PanelProps {
  view: EditorView
  query: SearchQuery
}

function FindPanel({ view, query }: PanelProps) {
  const texts = area.use()
  const change = (patch: Partial<ConstructorParameters<typeof SearchQuery>[0]>) => {
    const { search, replace, caseSensitive, regexp, wholeWord } = query
    const next = new SearchQuery({ search, replace, caseSensitive, regexp, wholeWord, ...patch })
    view.dispatch({ effects: setSearchQuery.of(next) })
  }
  return (
    <Stack role="search" aria-label={texts.label} gap={2} className={css.find}>
      <div className={css.line}>
        <TextField
          {...MAIN}
          {...PLAIN}
          className={css.field}
          label={texts.find}
          placeholder={texts.find}
          value={query.search}
          error={query.search && !query.valid ? texts.invalid : undefined}
          onChange={(event) => change({ search: event.currentTarget.value })}
          onKeyDown={onEnter(({ shiftKey }) => (shiftKey ? findPrevious : findNext)(view))}
        />
        <Row as="span" gap={1}>
          <IconButton size="small" icon={ChevronUp} label={texts.previous} onClick={() => findPrevious(view)} />
          <IconButton size="small" icon={ChevronDown} label={texts.next} onClick={() => findNext(view)} />
          <Options query={query} onChange={change} />
        </Row>
        <Count view={view} query={query} />
        <IconButton
          size="small"
          className={css.close}
          icon={X}
          label={texts.close}
          onClick={() => closeSearchPanel(view)}
        />
      </div>
      {!view.state.readOnly && (
        <ReplaceLine view={view} text={query.replace} onText={(replace) => change({ replace })} />
      )}
    </Stack>
  )
}

/** Handles Enter in a field. */
const onEnter = (act: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
  event.preventDefault()
  act(event)
}

interface OptionsProps {
  query: SearchQuery
  onChange: (patch: Partial<Pick<SearchQuery, 'caseSensitive' | 'wholeWord' | 'regexp'>>) => void
}

/** Toggles for match case, whole word and regular expression. */
function Options({ query: { caseSensitive, wholeWord, regexp }, onChange }: OptionsProps) {
  const texts = area.use()
  return (
    <>
      <Toggle
        icon={CaseSensitive}
        label={texts.matchCase}
        on={caseSensitive}
        onChange={(on) => onChange({ caseSensitive: on })}
      />
      <Toggle icon={WholeWord} label={texts.wholeWord} on={wholeWord} onChange={(on) => onChange({ wholeWord: on })} />
      <Toggle icon={Regex} label={texts.regexp} on={regexp} onChange={(on) => onChange({ regexp: on })} />
    </>
  )
}

function Count({ view, query }: PanelProps) {
  const texts = area.use()
  const { current, all } = count(view, query)
  return (
    <Muted role="status" className={css.count}>
      {query.search && query.valid && texts.count(current, all, MAX_COUNTED)}
    </Muted>
  )
}

interface ReplaceProps {
  view: EditorView
  text: string
  onText: (text: string) => void
}

function ReplaceLine({ view, text, onText }: ReplaceProps) {
  const texts = area.use()
  return (
    <div className={css.line}>
      <TextField
        {...PLAIN}
        className={css.field}
        label={texts.replaceWith}
        placeholder={texts.replaceWith}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        onKeyDown={onEnter(() => replaceNext(view))}
      />
      <Row as="span" gap={1}>
        <Button size="small" onClick={() => replaceNext(view)}>
          {texts.replace}
        </Button>
        <Button size="small" onClick={() => replaceAll(view)}>
          {texts.replaceAll}
        </Button>
      </Row>
    </div>
  )
}

/** Attribute by which CodeMirror finds the field to focus. */
const MAIN = { 'main-field': 'true' }
const PLAIN = { hideLabel: true, autoComplete: 'off', spellCheck: false }

interface ToggleProps {
  icon: LucideIcon
  label: string
  on: boolean
  onChange: (on: boolean) => void
}

function Toggle({ icon, label, on, onChange }: ToggleProps) {
  return <IconButton size="small" aria-pressed={on} icon={icon} label={label} onClick={() => onChange(!on)} />
}

/** The number of matches, and the index of the selected one, starting at 1; 0 if none is selected. */
function count({ state }: EditorView, query: SearchQuery) {
  let all = 0
  let current = 0
  if (!query.search || !query.valid) return { all, current }
  const { from, to } = state.selection.main
  const cursor = query.getCursor(state)
  for (let match = cursor.next(); !match.done && all < MAX_COUNTED; match = cursor.next()) {
    all++
    if (match.value.from === from && match.value.to === to) current = all
  }
  return { all, current }
}
