import { aiApi } from '@mokuroku/contract/ai'
import type { Character } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { type Described, isDescribed, type SelectedCharacter } from './fields.ts'

export interface CharacterMatches {
  /** Stored characters that a described one may be. */
  matchesOf: (character: Described) => readonly Character[]
  /** Whether the search for matches is still running. */
  isSearching: boolean
  /** Whether the user still has to decide if a character is one of its matches. */
  isUndecided: boolean
}

/** Finds stored characters that the described ones may be. They are shown before saving, and the user decides. */
export function useCharacterMatches(characters: readonly SelectedCharacter[]): CharacterMatches {
  const described = characters.filter(isDescribed)
  const wanted = JSON.stringify([...new Set(described.map(keyOf))])
  const settled = useDebounced(wanted)
  const found = useQuery({
    queryKey: [aiApi.matchCharacters.path, settled],
    queryFn: async ({ signal }) => {
      const keys = JSON.parse(settled) as string[]
      const body = { characters: keys.map((key) => JSON.parse(key) as Described) }
      const { matches } = await call(aiApi.matchCharacters, { body, signal })
      return new Map(keys.map((key, at) => [key, matches[at] ?? []]))
    },
    enabled: settled !== '[]',
    // Not cached, so that a character that was just saved is found.
    gcTime: 0,
    meta: { quiet: true },
  })
  const matchesOf = (character: Described) => found.data?.get(keyOf(character)) ?? []
  return {
    matchesOf,
    isSearching: wanted !== '[]' && (settled !== wanted || found.isFetching),
    isUndecided: described.some((each) => each.existing === undefined && matchesOf(each).length > 0),
  }
}

/** Cache key of a character: its names, by which it is searched. */
function keyOf({ translations, originalName }: Described): string {
  const names = Object.entries(translations).map(([tag, { name }]) => [tag, { name }] as const)
  return JSON.stringify({ translations: Object.fromEntries(names), originalName })
}
