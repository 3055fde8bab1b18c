import { assetsApi } from '@mokuroku/contract/assets'
import { ApiError } from '@mokuroku/contract/call'
import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { call } from '#api/call.ts'
import { translated, guessLanguage } from '#lib/text.ts'
import { type NameLookup, type Name, createIdNames } from '#parts/jsonEditor/idNames.ts'
import { tagNames } from '#parts/jsonEditor/tagNames.ts'
import { original } from '#parts/titles.ts'

/** The names of whatever a version pointed at, in the console's language; each id asked for by itself. */
export const idNames = (language: string) =>
  createIdNames(new Map(), {
    media: each(async (id) => {
      const { translations, originalTitle } = await call(mediaApi.find, { id })
      return translated(translations, 'title', language) ?? original(originalTitle)
    }),
    characters: each(async (id) => {
      const { translations, originalName } = await call(charactersApi.find, { id })
      return translated(translations, 'name', language) ?? original(originalName)
    }),
    assets: each(async (id) => {
      const { filename } = await call(assetsApi.find, { id })
      return { text: filename, lang: guessLanguage(filename) }
    }),
    tags: tagNames(language),
  })

/** What was deleted since has no name any more. */
function each(find: (id: string) => Promise<Name | undefined>): NameLookup {
  const nameOf = async (id: string): Promise<[string, Name][]> => {
    try {
      const name = await find(id)
      return name ? [[id, name]] : []
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [[id, 'missing']]
      throw error
    }
  }
  return async (ids) => new Map((await Promise.all(ids.map(nameOf))).flat())
}
