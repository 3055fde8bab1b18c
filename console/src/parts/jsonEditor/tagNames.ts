import { ApiError } from '@mokuroku/contract/call'
import { tagsApi } from '@mokuroku/contract/tags'
import { call } from '#api/call.ts'
import { translated } from '#lib/text.ts'
import type { NameLookup, Name } from './idNames.ts'

/** The names of tags, each asked for by itself. */
export function tagNames(language: string): NameLookup {
  return async (ids) => {
    const found = await Promise.all(ids.map((id) => find(id)))
    return new Map(found.flatMap((name, at): [string, Name][] => (name ? [[ids[at] ?? '', name]] : [])))
  }

  async function find(id: string): Promise<Name | undefined> {
    try {
      return translated((await call(tagsApi.find, { id })).translations, 'name', language)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return 'missing'
      throw error
    }
  }
}
