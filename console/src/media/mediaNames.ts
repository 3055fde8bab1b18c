import { assetsApi } from '@mokuroku/contract/assets'
import { ApiError } from '@mokuroku/contract/call'
import { charactersApi } from '@mokuroku/contract/characters'
import { type Media, mediaApi } from '@mokuroku/contract/media'
import { call } from '#api/call.ts'
import { translated, guessLanguage } from '#lib/text.ts'
import { type NameLookup, type Name, createIdNames } from '#parts/jsonEditor/idNames.ts'

type Named = Pick<Media, '_id' | 'originalTitle' | 'translations'>

/** The titles of what a media points at, in the console's language; a new one (no `media`) points at nothing yet. */
export function mediaNames(media: Media | undefined, language: string) {
  const titled = ({ originalTitle: text, translations }: Named): Name | undefined =>
    translated(translations, 'title', language) ?? (text ? { text, lang: guessLanguage(text) } : undefined)
  const known = new Map<string, Name>()
  const learn = (id: string, name: Name | undefined) => name && known.set(id, name)
  for (const related of media?.relatedMedia ?? []) learn(related._id, titled(related))
  for (const { _id, translations } of media?.tags ?? []) learn(_id, translated(translations, 'name', language))

  const ofMedia: NameLookup = async (ids) => {
    const found = await Promise.all(ids.map((id) => find(id)))
    return new Map(found.flatMap(([id, name]): [string, Name][] => (name ? [[id, name]] : [])))
  }
  const find = async (id: string): Promise<[string, Name | undefined]> => {
    try {
      return [id, titled(await call(mediaApi.find, { id }))]
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [id, 'missing']
      throw error
    }
  }
  const ofCharacters: NameLookup = async (ids) => {
    const found = new Map<string, Name>()
    if (!media) return found
    const stored = new Set(media.characters)
    for (const id of ids) if (stored.has(id)) found.set(id, 'missing')
    const list = await call(charactersApi.ofMedia, { id: media._id, query: { limit: 100 } })
    for (const { _id, translations, originalName: text } of list) {
      const name = translated(translations, 'name', language) ?? (text && { text, lang: guessLanguage(text) })
      if (name) found.set(_id, name)
    }
    return found
  }
  const ofAssets: NameLookup = async () => {
    if (!media) return new Map()
    const relatedTo = JSON.stringify({ model: 'MEDIA', id: media._id })
    const { data } = await call(assetsApi.list, { query: { relatedTo, limit: 100 } })
    return new Map(data.map(({ _id, filename }): [string, Name] => [_id, { text: filename, lang: undefined }]))
  }
  return createIdNames(known, { media: ofMedia, characters: ofCharacters, assets: ofAssets })
}
