import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent-text)' },
  { tag: tags.string, color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--plum-text)' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--ink-3)' },
])

/**
 * The editor's theme, built on our design tokens, which switch between light and dark themselves. `height` in pixels.
 */
export const editorTheme = (height: number): Extension => [syntaxHighlighting(colours), sheet, tall(height)]

const tall = (height: number) => EditorView.theme({ '&': { height: `${height}px` } })

const sheet = EditorView.theme({
  '&': {
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--radius-3)',
    background: 'var(--surface)',
    color: 'var(--ink)',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono), var(--cjk)', fontSize: 'var(--type-2)', lineHeight: '1.6' },
  '.cm-content': { padding: 'var(--space-2) 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 var(--space-3) 0 var(--space-2)' },
  '.cm-gutters': { border: '0', background: 'var(--sunken)', color: 'var(--ink-3)' },
  '.cm-activeLine': { background: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-activeLineGutter': { background: 'var(--hover)', color: 'var(--ink)' },
  '.cm-cursor': { borderLeft: '2px solid var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '&.cm-focused .cm-nonmatchingBracket': { background: 'var(--danger-soft)' },
  '.cm-searchMatch': { background: 'var(--warning-soft)', outline: '1px solid var(--warning)' },
  '.cm-searchMatch-selected': { background: 'var(--warning-soft)', outline: '2px solid var(--warning)' },
  '.cm-selectionMatch': { background: 'var(--accent-soft)' },
  '.cm-foldPlaceholder': { border: '1px solid var(--line)', background: 'var(--sunken)', color: 'var(--ink-2)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warning)',
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  },
  '.cm-lintRange-active': { background: 'var(--danger-soft)' },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '4px 3px' },
  '.cm-lint-marker-error': {
    content: '""',
    width: '10px',
    height: '10px',
    borderRadius: '50%',
    background: 'var(--danger)',
  },
  '.cm-lint-marker-warning': {
    content: '""',
    width: '10px',
    height: '10px',
    borderRadius: '2px',
    background: 'var(--warning)',
  },
  '.cm-title': {
    marginLeft: 'var(--space-2)',
    padding: '0 var(--space-1)',
    borderRadius: 'var(--radius-1)',
    background: 'var(--sunken)',
    color: 'var(--ink-2)',
    fontSize: 'var(--type-1)',
  },
  '.cm-title-missing': { background: 'var(--danger-soft)', color: 'var(--danger-text)' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-2)',
    background: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow-2)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { maxHeight: '15em', fontFamily: 'var(--mono), var(--cjk)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px var(--space-3)', lineHeight: '1.5' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-soft)', color: 'var(--ink)' },
  '.cm-completionIcon, .cm-titled .cm-completionLabel': { display: 'none' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: 'var(--weight-title)' },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal' },
  '.cm-diagnostic': { padding: 'var(--space-1) var(--space-3)', fontFamily: 'var(--font)', fontSize: 'var(--type-2)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-panels': { background: 'var(--raised)', color: 'var(--ink)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
})
