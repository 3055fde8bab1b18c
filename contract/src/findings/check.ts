/** An entity as the checks see it. Texts are by language and field; what it has not is ''. */
export interface Checked {
  /** The field of the texts that names it: `title` of media, `name` of the others. */
  title: string
  /** Its title in the original language. */
  original: string
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** All that a person edits of it. */
  document: Readonly<Record<string, unknown>>
  /** The moment, ISO 8601 in UTC. */
  now: string
  /** The languages that the settings ask for. */
  wanted: readonly string[]
}

/** What a check found: '' stands for no language and no field. `text` is what it hangs on, and what may change it. */
export interface Found {
  language: string
  field: string
  text: string
}

export type Check = (entity: Checked) => Found[]

/** A finding about the entity as a whole. */
export const whole = (field: string, text = ''): Found => ({ language: '', field, text })

/** The titles that are filled, by language. */
export const titlesOf = ({ texts, title }: Checked): [string, string][] =>
  Object.entries(texts)
    .map(([language, text]): [string, string] => [language, text[title] ?? ''])
    .filter(([, text]) => isFilled(text))

/** Whether a text says anything. */
export const isFilled = (text: string | undefined): boolean => (text ?? '').trim() !== ''
