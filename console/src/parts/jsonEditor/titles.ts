import { syntaxTree } from '@codemirror/language'
import { type Extension, RangeSetBuilder, StateEffect } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view'
import { type Index, isId, linkAt, type Links, type Name, type Names } from './idNames.ts'

const learned = StateEffect.define()

/** Shows the title of the entity after each id: `"0198…" “Kokoro”`. */
export function titles(links: Links, names: Names, notFound: string): Extension {
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet
      readonly forget: () => void

      constructor(view: EditorView) {
        this.decorations = decorate(view, links, names, notFound)
        this.forget = names.follow(() => view.dispatch({ effects: learned.of(null) }))
      }
      update(update: ViewUpdate) {
        const titlesChanged = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(learned)))
        const parsed = syntaxTree(update.startState) !== syntaxTree(update.state)
        if (titlesChanged || parsed || update.docChanged || update.selectionSet || update.viewportChanged)
          this.decorations = decorate(update.view, links, names, notFound)
      }
      destroy() {
        this.forget()
      }
    },
    { decorations: (plugin) => plugin.decorations },
  )
}

function decorate({ state, visibleRanges }: EditorView, links: Links, names: Names, notFound: string): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const wanted = new Map<Index, string[]>()
  const slice = (from: number, to: number) => state.sliceDoc(from, to)
  // A value being typed is a search text, not yet an id.
  const { selection } = state
  for (const { from, to } of visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: ({ node }) => {
        const index = linkAt(node, links, slice)
        const id = index && slice(node.from + 1, node.to - 1)
        if (!index || !id) return
        const shaped = isId(id)
        const written = selection.main.from >= node.from && selection.main.to <= node.to
        const name = shaped ? names.get(id) : written ? undefined : 'missing'
        if (name && name !== 'failed')
          builder.add(node.to, node.to, Decoration.widget({ widget: new Title(name, notFound), side: 1 }))
        else if (shaped && !name) wanted.set(index, [...(wanted.get(index) ?? []), id])
      },
    })
  }
  for (const [index, ids] of wanted) void names.want(index, ids)
  return builder.finish()
}

type Shown = Exclude<Name, 'failed'>

class Title extends WidgetType {
  readonly name: Shown
  readonly notFound: string

  constructor(name: Shown, notFound: string) {
    super()
    this.name = name
    this.notFound = notFound
  }
  override eq(other: Title) {
    return other.name === this.name
  }
  toDOM() {
    const span = document.createElement('span')
    const missing = this.name === 'missing'
    span.className = missing ? 'cm-title cm-title-missing' : 'cm-title'
    span.textContent = this.name === 'missing' ? this.notFound : `“${this.name.text}”`
    if (this.name !== 'missing' && this.name.lang) span.lang = this.name.lang
    return span
  }
}
