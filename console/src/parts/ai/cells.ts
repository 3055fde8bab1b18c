/** One proposed text: of a language and a field, with what stands there now ('' for nothing). */
export interface Cell {
  key: string
  lang: string
  field: string
  before: string
  after: string
}

type Texts = Readonly<Record<string, Readonly<Record<string, string | null | undefined>>>>

/** What a proposal says, cell by cell; where it says nothing, there is no cell. `of` names whose cells they are. */
export function cellsOf(now: Texts, proposed: Texts, of = ''): Cell[] {
  return Object.entries(proposed).flatMap(([lang, fields]) =>
    Object.entries(fields).flatMap(([field, after]) =>
      after ? [{ key: `${of}${lang}.${field}`, lang, field, before: now[lang]?.[field] ?? '', after }] : [],
    ),
  )
}

/** The texts of the accepted cells, by language and field. */
export function acceptedTexts(cells: readonly Cell[], accepted: ReadonlySet<string>) {
  const texts: Record<string, Record<string, string>> = {}
  for (const { key, lang, field, before, after } of cells)
    if (accepted.has(key) && before !== after) texts[lang] = { ...texts[lang], [field]: after }
  return texts
}

/** What is accepted before anybody has looked: what stands where nothing stood. A person's text is never taken away. */
export const acceptable = (cells: readonly Cell[]): Set<string> =>
  new Set(cells.filter(({ before }) => !before).map(({ key }) => key))
