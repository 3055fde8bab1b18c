import type { SelectedMedia } from '@mokuroku/contract/selection'
import { newTag, type TagInput } from '@mokuroku/contract/tags'
import { fieldError } from '@mokuroku/contract/faults'
import { advisoryLock, type Transaction } from '#database/db.ts'
import { invalid } from '#lib/errors.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { newId } from '#lib/ids.ts'
import { titleOf } from '#ledger/texts.ts'
import { search } from '#store/search'
import { tags } from '#store/tags'

type Choice = SelectedMedia['tags'][number]

/** Whether a name can only be an id. */
export const looksLikeId = (name: string): boolean => /^[\da-f]{8}-[\da-f]{4}-/i.test(name)

/** The ids of the selected tags, given by id or by name in any language. Creates a tag for an unknown name. */
export async function resolveTagIds(
  tx: Transaction,
  choices: Choice[],
  context: WriteContext,
  type: TagInput['type'],
): Promise<string[]> {
  if (choices.length === 0) return []
  // Serialized, so that two concurrent saves create a new tag only once.
  await advisoryLock(tx, 'tags by name')
  const named = await search.named(tx, 'Tag', choices.map(nameOf).filter(Boolean))
  const madeAs = new Map<string, string>()
  const ids: string[] = []
  for (const [at, choice] of choices.entries()) {
    const name = nameOf(choice)
    if (typeof choice === 'object' && '_id' in choice) ids.push(choice._id)
    else if (typeof choice === 'string' && (await isTag(tx, choice))) ids.push(choice)
    else if (looksLikeId(name) || !name) invalid([fieldError(`tags.${at}`, 'notThere', { kind: 'tag', id: name })])
    else {
      // A name given twice, in different spellings, is one tag.
      const [spelling = name] = search.spellings(name)
      const found =
        madeAs.get(spelling) ?? (await bestTag(tx, named.get(name)?.map(({ entityId }) => entityId) ?? [], type))
      const id = found ?? (await createTag(tx, choice, name, context, type))
      madeAs.set(spelling, id)
      ids.push(id)
    }
  }
  return [...new Set(ids)]
}

/** The name that a choice gives; '' if it is an id. */
export function nameOf(choice: Choice): string {
  if (typeof choice === 'string') return choice
  if ('_id' in choice) return ''
  return 'name' in choice ? choice.name : titleOf(choice.translations, 'name')
}

async function isTag(tx: Transaction, id: string): Promise<boolean> {
  const row = looksLikeId(id) ? await tags.row(id, tx) : undefined
  return row !== undefined && !row.deletedAt
}

/** Of several tags with this name, one of the given type, or else the oldest. */
async function bestTag(tx: Transaction, ids: string[], type: TagInput['type']): Promise<string | undefined> {
  const rows = []
  for (const id of new Set(ids)) {
    const row = await tags.row(id, tx)
    if (row && !row.deletedAt) rows.push(row)
  }
  return (rows.find((row) => row.type === type) ?? rows[0])?._id
}

async function createTag(
  tx: Transaction,
  choice: Choice,
  name: string,
  context: WriteContext,
  type: TagInput['type'],
): Promise<string> {
  const id = newId()
  const translations =
    typeof choice === 'object' && 'translations' in choice ? choice.translations : { en: { name, description: '' } }
  await tags.createIn(tx, id, { ...newTag(), type, translations }, context)
  return id
}
