import type { Character } from '@mokuroku/contract/characters'
import type { DescribedCharacter, SelectedMedia } from '@mokuroku/contract/selection'
import { db, type Transaction } from '#database/db.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { newId } from '#lib/ids.ts'
import { characters } from '#store/characters'
import { search } from '#store/search'
import { scriptOf } from './languages.ts'
import { resolveTagIds } from './resolveTags.ts'

type Choice = SelectedMedia['characters'][number]

/** Maximum number of matches returned for a described character. */
const MAX_MATCHES = 3

/**
 * The ids of the selected characters. One given by id, its own or as `existing`, is linked; a described one is created,
 * whatever its name, since only a person can tell who it is. `coverOf` returns a new one's cover asset.
 */
export async function resolveCharacterIds(
  tx: Transaction,
  choices: Choice[],
  context: WriteContext,
  coverOf: (character: DescribedCharacter) => string,
): Promise<string[]> {
  const ids: string[] = []
  for (const choice of choices) {
    if (typeof choice === 'string') ids.push(choice)
    else if ('_id' in choice) ids.push(choice._id)
    else ids.push(choice.existing ?? (await createCharacter(tx, choice, context, coverOf(choice))))
  }
  return [...new Set(ids)]
}

async function createCharacter(
  tx: Transaction,
  character: DescribedCharacter,
  context: WriteContext,
  cover: string,
): Promise<string> {
  const { translations, originalName, assets } = character
  const id = newId()
  const tags = await resolveTagIds(tx, character.tags, context, 'CHARACTER_TRAIT')
  const fields = { translations, tags, assets, cover, ...(originalName && { originalName }) }
  await characters.createIn(tx, id, fields, context)
  return id
}

/** Existing characters with the same name, best match first. A given name alone is not enough, since many share it. */
export async function matchCharacters(character: DescribedCharacter): Promise<Character[]> {
  const names = namesOf(character)
  const found = await search.named(db, 'Character', names)
  const ids = [...new Set([...found.values()].flat().map(({ entityId }) => entityId))]
  const scored = (await characters.byIds(ids)).flatMap((one) => {
    if (contradicts(character, one)) return []
    const shared = names.filter((name) => found.get(name)?.some(({ entityId }) => entityId === one._id))
    return shared.length > 1 || shared.some(isFullName) ? [{ one, score: shared.length }] : []
  })
  const inOrder = scored.toSorted((first, second) => second.score - first.score)
  return inOrder.slice(0, MAX_MATCHES).map(({ one }) => one)
}

const namesOf = ({ translations, originalName }: DescribedCharacter) =>
  [...new Set([originalName ?? '', ...Object.values(translations).map(({ name }) => name)])].filter((name) =>
    name.trim(),
  )

/** Whether both have an original name, or names in the same script, that differ. */
function contradicts(one: DescribedCharacter, two: Character): boolean {
  if (one.originalName && two.originalName && !isSame(one.originalName, two.originalName)) return true
  const others = new Map(Object.entries(two.translations).map(([tag, { name }]) => [scriptOf(tag), name]))
  return Object.entries(one.translations).some(([tag, { name }]) => {
    const other = others.get(scriptOf(tag))
    return !!name && !!other && !isSame(name, other)
  })
}

function isSame(one: string, two: string): boolean {
  const spellings = search.spellings(two)
  return search.spellings(one).some((each) => spellings.includes(each))
}

/** Two words, or three Han characters, as a family name and a given name have together. */
const isFullName = (name: string): boolean =>
  /\S[\s・·＝=]\S/.test(name.trim()) || (name.match(/\p{Script=Han}/gu)?.length ?? 0) >= 3
