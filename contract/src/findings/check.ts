/** An entity as the checks see it. `texts` are by language and field; missing ones are ''. */
export interface Checked {
  /** The name of the field that holds its title: `title` for media, `name` for the other kinds. */
  title: string
  /** Its title in the original language. */
  original: string
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** All fields that users can edit. */
  document: Readonly<Record<string, unknown>>
  /** The current time, ISO 8601 in UTC. */
  now: string
  /** The languages that the settings require. */
  wanted: readonly string[]
}

/** A result of a check. `language` and `field` are '' if there is none. A dismissal holds while `text` is the same. */
export interface Found {
  language: string
  field: string
  text: string
}

export type Check = (entity: Checked) => Found[]

/** A finding about the entity as a whole. */
export const whole = (field: string, text = ''): Found => ({ language: '', field, text })

/** The non-empty titles, as pairs of language and title. */
export const titlesOf = ({ texts, title }: Checked): [string, string][] =>
  Object.entries(texts)
    .map(([language, text]): [string, string] => [language, text[title] ?? ''])
    .filter(([, text]) => isFilled(text))

/** Whether a text contains anything but white space. */
export const isFilled = (text: string | undefined): boolean => (text ?? '').trim() !== ''
