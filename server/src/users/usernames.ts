import confusables from './confusables.json' with { type: 'json' }

/** What a character looks like; it looks like itself where it is not here. Of Unicode 17, UTS 39. */
const prototypes = new Map(
  Object.entries(confusables).flatMap(([looksLike, characters]) =>
    Array.from(characters, (character) => [character, looksLike] as const),
  ),
)

/**
 * What a username looks like, whatever its characters are: names that a person takes for each other have one skeleton
 * (UTS 39, section 4), also where they differ in case, width or in what cannot be seen.
 */
export function skeletonOf(username: string): string {
  const folded = username.normalize('NFKC').toLowerCase().replaceAll(INVISIBLE, '').normalize('NFD')
  const looks = Array.from(folded, (character) => prototypes.get(character) ?? character).join('')
  return looks.normalize('NFD').toLowerCase()
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
