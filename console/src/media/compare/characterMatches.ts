import { aiApi } from '@mokuroku/contract/ai'
import type { Character } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { type Described, isDescribed, type SelectedCharacter } from './fields.ts'

export interface CharacterMatches {
  /** The characters of the catalogue that a described one may be. */
  matchesOf: (character: Described) => readonly Character[]
  /** They are still being looked for. */
  isSearching: boolean
  /** Somebody has to say whether a character is the one that is there. */
  isUndecided: boolean
}

/** Whom of the catalogue the described characters may be: it is shown before they are saved, and decided by a person. */
export function useCharacterMatches(characters: readonly SelectedCharacter[]): CharacterMatches {
  const described = characters.filter(isDescribed)
  const wanted = JSON.stringify([...new Set(described.map(keyOf))])
  const asked = useDebounced(wanted)
  const found = useQuery({
    queryKey: [aiApi.matchCharacters.path, asked],
    queryFn: async ({ signal }) => {
      const keys = JSON.parse(asked) as string[]
      const body = { characters: keys.map((key) => JSON.parse(key) as Described) }
      const { matches } = await call(aiApi.matchCharacters, { body, signal })
      return new Map(keys.map((key, at) => [key, matches[at] ?? []]))
    },
    enabled: asked !== '[]',
    // A character that was saved a moment ago must be found.
    gcTime: 0,
    meta: { quiet: true },
  })
  const matchesOf = (character: Described) => found.data?.get(keyOf(character)) ?? []
  return {
    matchesOf,
    isSearching: wanted !== '[]' && (asked !== wanted || found.isFetching),
    isUndecided: described.some((each) => each.existing === undefined && matchesOf(each).length > 0),
  }
}

/** What a character is found by: its names. */
function keyOf({ translations, originalName }: Described): string {
  const names = Object.entries(translations).map(([tag, { name }]) => [tag, { name }] as const)
  return JSON.stringify({ translations: Object.fromEntries(names), originalName })
}
