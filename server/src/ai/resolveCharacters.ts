import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Character } from '@mokuroku/contract/characters'
import type { DescribedCharacter, SelectedMedia } from '@mokuroku/contract/selection'
import { db, type Transaction } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { pagesBySize } from '#ledger/pages.ts'
import { newId } from '#lib/ids.ts'
import { characters } from '#store/characters'
import { search } from '#store/search'
import { scriptOf } from './languages.ts'
import { resolveTagIds } from './resolveTags.ts'

type Choice = SelectedMedia['characters'][number]

/** Maximum number of matches returned for a described character. */
const MAX_MATCHES = 3
/** At most this many names of a described character are compared, with at most this many existing characters. */
const [MAX_NAMES, MAX_CANDIDATES] = [20, 100]
/** A longer text is not compared: it is no name. */
const MAX_NAME_CHARS = 200

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

/**
 * For each described character, the existing ones with the same name, best match first. A given name alone is not
 * enough, since many share it. Others have their turn in between.
 */
export async function matchCharacters(described: DescribedCharacter[]): Promise<Character[][]> {
  const known = new Map<string, readonly string[]>()
  const isSame: IsSame = (...names) => {
    const [spellings, others] = names.map((name) => {
      const found = known.get(name) ?? (name.length > MAX_NAME_CHARS ? [] : search.spellings(name))
      known.set(name, found)
      return found
    })
    return spellings?.some((each) => others?.includes(each)) ?? false
  }
  const candidates: Candidates = new Map()
  const matches: string[][] = []
  for (const each of described) {
    matches.push(await matchesOf(each, isSame, candidates))
    await yieldToEventLoop()
  }
  const shown = await characters.embedded(matches.flat())
  return matches.map((ids) => ids.flatMap((id) => shown.get(id) ?? []))
}

/** Whether two names have a spelling in common. */
type IsSame = (one: string, two: string) => boolean

/** What is compared of existing characters, by id; undefined for those in the trash. */
type Candidates = Map<string, Pick<Character, 'originalName' | 'translations'> | undefined>

async function matchesOf(character: DescribedCharacter, isSame: IsSame, candidates: Candidates): Promise<string[]> {
  const names = namesOf(character)
  const found = await search.named(db, 'Character', names)
  const shared = new Map<string, Set<string>>()
  for (const [name, labels] of found)
    for (const { entityId } of labels) shared.set(entityId, (shared.get(entityId) ?? new Set()).add(name))
  const ids = [...shared]
    .filter(([, each]) => each.size > 1 || [...each].some(isFullName))
    .toSorted(([, first], [, second]) => second.size - first.size)
    .slice(0, MAX_CANDIDATES)
    .map(([id]) => id)
  await readCandidates(ids, candidates)
  const matches: string[] = []
  for (const id of ids) {
    const one = candidates.get(id)
    if (one && !contradicts(character, one, isSame)) matches.push(id)
    if (matches.length === MAX_MATCHES) break
    await yieldToEventLoop()
  }
  return matches
}

/** Reads the names of the characters that are not yet known. What is not compared is not kept. */
async function readCandidates(ids: string[], candidates: Candidates): Promise<void> {
  const unread = ids.filter((id) => !candidates.has(id))
  for (const id of unread) candidates.set(id, undefined)
  for (const page of await pagesBySize(db, 'Character', unread)) {
    const rows = await db
      .selectFrom('characters')
      .select(['_id', 'originalName', 'translations'])
      .where(inList('_id', page))
      .where('deletedAt', 'is', null)
      .execute()
    for (const { _id, originalName, translations } of rows) {
      const names = Object.entries(translations).map(
        ([tag, { name }]) => [tag, { name: name.slice(0, MAX_NAME_CHARS + 1), description: '' }] as const,
      )
      candidates.set(_id, { originalName, translations: Object.fromEntries(names) })
    }
    await yieldToEventLoop()
  }
}

const namesOf = ({ translations, originalName }: DescribedCharacter) =>
  [...new Set([originalName ?? '', ...Object.values(translations).map(({ name }) => name)])]
    .filter((name) => name.trim() && name.length <= MAX_NAME_CHARS)
    .slice(0, MAX_NAMES)

/** Whether both have an original name, or names in the same script, that differ. */
function contradicts(
  one: DescribedCharacter,
  two: Pick<Character, 'originalName' | 'translations'>,
  isSame: IsSame,
): boolean {
  if (one.originalName && two.originalName && !isSame(one.originalName, two.originalName)) return true
  const others = new Map(Object.entries(two.translations).map(([tag, { name }]) => [scriptOf(tag), name]))
  return Object.entries(one.translations)
    .slice(0, MAX_NAMES)
    .some(([tag, { name }]) => {
      const other = others.get(scriptOf(tag))
      return !!name && !!other && !isSame(name, other)
    })
}

/** Two words, or three Han characters, as a family name and a given name have together. */
const isFullName = (name: string): boolean =>
  /\S[\s・·＝=]\S/.test(name.trim()) || (name.match(/\p{Script=Han}/gu)?.length ?? 0) >= 3
