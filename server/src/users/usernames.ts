import { normalize } from '@mokuroku/contract/normalize'
import confusables from './confusables.json' with { type: 'json' }

/** Maps characters to what they look like, if not to themselves (Unicode 17, UTS 39). */
const prototypes = new Map(
  Object.entries(confusables).flatMap(([looksLike, characters]) =>
    Array.from(characters, (character) => [character, looksLike] as const),
  ),
)

/**
 * The skeleton of a username (UTS 39, section 4): names that people could confuse have the same one, also if they
 * differ in case, width or invisible characters.
 */
export function skeletonOf(username: string): string {
  const folded = normalize(normalize(username, 'NFKC').toLowerCase().replaceAll(INVISIBLE, ''), 'NFD')
  const looks = Array.from(folded, (character) => prototypes.get(character) ?? character).join('')
  return normalize(looks, 'NFD').toLowerCase()
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
