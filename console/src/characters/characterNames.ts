import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { call } from '#api/call.ts'
import { translated, guessLanguage } from '#lib/text.ts'
import { type NameLookup, type Name, createIdNames } from '#parts/jsonEditor/idNames.ts'
import { tagNames } from '#parts/jsonEditor/tagNames.ts'

/** As many media as one call tells. */
const MAX_IDS = 100

/** The titles of what a character points at, in the console's language; a new one points at nothing yet. */
export function characterNames(character: Character | undefined, language: string) {
  const known = new Map<string, Name>()
  for (const { _id, translations } of character?.tags ?? []) {
    const name = translated(translations, 'name', language)
    if (name) known.set(_id, name)
  }
  const ofMedia: NameLookup = async (ids) => {
    const found = new Map<string, Name>()
    if (!character) return found
    const { _id: id, mediaRefs } = character
    const list = await call(charactersApi.media, { id, query: { limit: MAX_IDS } })
    if (mediaRefs.length <= MAX_IDS) for (const each of ids) if (mediaRefs.includes(each)) found.set(each, 'missing')
    for (const { _id, translations, originalTitle: text } of list) {
      const name =
        translated(translations, 'title', language) ?? (text ? { text, lang: guessLanguage(text) } : undefined)
      if (name) found.set(_id, name)
    }
    return found
  }
  return createIdNames(known, { media: ofMedia, tags: tagNames(language) })
}
