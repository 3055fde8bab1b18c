import type { SampleCharacter } from './types.ts'
import type { Texts } from './work.ts'

/** A character as its file writes it; `tags` are traits without the prefix of their keys. */
export type Person = Omit<SampleCharacter, 'createdAt' | 'createdBy'> & { originalName: string }

export const person = (name: string, originalName: string, tags: string[], texts: Texts): Person => ({
  key: `character:${name}`,
  originalName,
  tags: tags.map((tag) => `trait:${tag}`),
  translations: Object.fromEntries(
    Object.entries(texts).map(([language, [itsName, description]]) => [language, { name: itsName, description }]),
  ),
})
