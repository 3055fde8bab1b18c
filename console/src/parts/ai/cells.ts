/** One proposed text: its language and field, and the current text ('' if there is none). */
export interface Cell {
  /** Also contains the current text: what was accepted instead of one text is not accepted instead of another. */
  key: string
  lang: string
  field: string
  before: string
  after: string
}

type Texts = Readonly<Record<string, Readonly<Record<string, string | null | undefined>>>>

/** The cells of a proposal; empty proposed texts have none. `of` is a prefix for the keys. */
export function cellsOf(now: Texts, proposed: Texts, of = ''): Cell[] {
  return Object.entries(proposed).flatMap(([lang, fields]) =>
    Object.entries(fields).flatMap(([field, after]) => {
      const before = now[lang]?.[field] ?? ''
      return after ? [{ key: `${of}${lang}.${field} ${before}`, lang, field, before, after }] : []
    }),
  )
}

/** The texts of the accepted cells, by language and field. */
export function acceptedTexts(cells: readonly Cell[], accepted: ReadonlySet<string>) {
  const texts: Record<string, Record<string, string>> = {}
  for (const { key, lang, field, before, after } of cells)
    if (accepted.has(key) && before !== after) texts[lang] = { ...texts[lang], [field]: after }
  return texts
}

/** The cells accepted by default: those whose text is currently empty. A person's text is never replaced unasked. */
export const acceptable = (cells: readonly Cell[]): Set<string> =>
  new Set(cells.filter(({ before }) => !before).map(({ key }) => key))
