import type { SampleMedia } from './types.ts'

/** A title or name with its description, by language. */
export type Texts = Record<string, [title: string, description: string]>

/** A work as its file writes it: names without the prefixes of the keys, the day of publication, texts by language. */
export type Work = Omit<SampleMedia, 'createdAt' | 'createdBy'> & { characters: string[]; relatedMedia: string[] }

export const novel = (one: {
  name: string
  originalTitle: string
  released: string
  tags: string[]
  characters: string[]
  texts: Texts
}): Work => ({
  key: `novel:${one.name}`,
  mediaType: 'NOVEL',
  translations: titled(one.texts),
  originalTitle: one.originalTitle,
  isOngoing: false,
  releaseDate: midnight(one.released),
  characters: one.characters.map((name) => `character:${name}`),
  tags: [...one.tags, 'public-domain'],
  relatedMedia: [],
})

/** A manga of ours, after the novel `of`. `chapters` is the number published so far. */
export const manga = (one: {
  name: string
  of: string
  originalTitle: string
  released: string
  ongoing: boolean
  chapters: number
  tags: string[]
  characters: string[]
  texts: Texts
}): Work => ({
  key: `manga:${one.name}`,
  mediaType: 'MANGA',
  translations: titled(imaginary(one.texts)),
  originalTitle: one.originalTitle,
  isOngoing: one.ongoing,
  releaseDate: midnight(one.released),
  episodes: one.chapters,
  characters: one.characters.map((name) => `character:${name}`),
  tags: [...one.tags, 'adaptation'],
  relatedMedia: [`novel:${one.of}`],
})

const IMAGINARY: Record<string, string> = {
  en: 'An imaginary adaptation: it was invented for this sample catalogue.',
  zh: '虚构的改编作品：专为本示例目录而设。',
  ja: '架空の漫画化作品です。このサンプル目録のために作られました。',
}

/** Says in each text that the work does not exist, so that nobody looks for it. */
const imaginary = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([language, [title, text]]) => {
      const note = IMAGINARY[language]
      return [language, [title, note ? `${text}\n\n${note}` : text]]
    }),
  )

const titled = (texts: Texts) =>
  Object.fromEntries(
    Object.entries(texts).map(([language, [title, description]]) => [language, { title, description }]),
  )

const midnight = (day: string) => `${day}T00:00:00.000Z`
