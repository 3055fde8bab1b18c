import type { SelectedMedia } from '@mokuroku/contract/ai'
import type { Transaction } from '#lib/db.ts'
import type { By } from '#lib/keeping.ts'
import { newId } from '#lib/ids.ts'
import type { CharacterFields } from '#lib/tables.ts'
import { characters } from '#store/characters'
import { search } from '#store/search'
import { scriptOf } from './languages.ts'
import { tagIds } from './tagging.ts'

type Choice = SelectedMedia['characters'][number]
export type NewCharacter = Exclude<Choice, string | { _id: string }>

/**
 * The ids of the characters that were picked. One that is described is the character that is here already, where the
 * names leave no doubt, and else is made. `coverOf` says which asset shows a new one.
 */
export async function characterIds(
  tx: Transaction,
  choices: Choice[],
  by: By,
  coverOf: (character: NewCharacter) => string,
): Promise<string[]> {
  const ids: string[] = []
  for (const choice of choices) {
    if (typeof choice === 'string') ids.push(choice)
    else if ('_id' in choice) ids.push(choice._id)
    else ids.push((await matchOf(tx, choice)) ?? (await made(tx, choice, by, coverOf(choice))))
  }
  return [...new Set(ids)]
}

async function made(tx: Transaction, character: NewCharacter, by: By, cover: string): Promise<string> {
  const { translations, originalName, assets } = character
  const id = newId()
  const tags = await tagIds(tx, character.tags, by, 'CHARACTER_TRAIT')
  const fields = { translations, tags, assets, cover, ...(originalName && { originalName }) }
  await characters.createIn(tx, id, fields, by)
  return id
}

/** The one character that is called the same, if there is one: a given name alone is shared by many. */
async function matchOf(tx: Transaction, character: NewCharacter): Promise<string | undefined> {
  const names = namesOf(character)
  const found = await search.named(tx, 'Character', names)
  const ids = [...new Set([...found.values()].flat().map(({ entityId }) => entityId))]
  const scored = []
  for (const id of ids) {
    const row = await characters.row(id, tx)
    if (!row || row.deletedAt || contradicts(character, row)) continue
    const shared = names.filter((name) => found.get(name)?.some(({ entityId }) => entityId === id))
    if (shared.length > 1 || shared.some(isFullName)) scored.push({ id, score: shared.length })
  }
  const [first, second] = scored.toSorted((one, two) => two.score - one.score)
  return first && first.score !== second?.score ? first.id : undefined
}

const namesOf = ({
  translations,
  originalName,
}: Pick<CharacterFields, 'translations' | 'originalName'> | NewCharacter) =>
  [...new Set([originalName ?? '', ...Object.values(translations).map(({ name }) => name)])].filter((name) =>
    name.trim(),
  )

/** Both have a name in the same script, or an original one, and they are not the same name. */
function contradicts(one: NewCharacter, two: CharacterFields): boolean {
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

/** Two words, or as many characters as a family and a given name have together. */
const isFullName = (name: string): boolean =>
  /\S[\s・·＝=]\S/.test(name.trim()) || (name.match(/\p{Script=Han}/gu)?.length ?? 0) >= 3
