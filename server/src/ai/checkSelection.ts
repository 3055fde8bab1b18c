import type { FieldError } from '@mokuroku/contract/call'
import { fieldError } from '@mokuroku/contract/faults'
import type { Kind } from '@mokuroku/contract/kinds'
import { type DescribedCharacter, MAX_NAMED_TAGS, type SelectedMedia } from '@mokuroku/contract/selection'
import { presentIds } from '#ledger/links.ts'
import { invalid } from '#lib/errors.ts'
import { looksLikeId, nameOf } from './resolveTags.ts'

/** The characters of a selection that are created with the media item. */
export const describedIn = ({ characters }: SelectedMedia): DescribedCharacter[] =>
  characters.flatMap((choice) =>
    typeof choice === 'object' && 'translations' in choice && !choice.existing ? [choice] : [],
  )

/**
 * Throws 400 for what would otherwise be refused only after much has been created: too many tags by name, and ids that
 * do not exist.
 */
export async function checkSelection(selected: SelectedMedia): Promise<void> {
  const tags = [selected, ...describedIn(selected)].flatMap((each) => each.tags)
  const names = new Set(tags.map(nameOf).filter((name) => name !== '' && !looksLikeId(name)))
  if (names.size > MAX_NAMED_TAGS) invalid([fieldError('tags', 'tooMany', { limit: MAX_NAMED_TAGS })])
  const faults: FieldError[] = []
  for (const [kind, links] of Map.groupBy(linksOf(selected), (link) => link.kind)) {
    const ids = links.map(({ id }) => id)
    const present = new Set(await presentIds(kind, ids))
    for (const { id, path } of links.filter((link) => !present.has(link.id)))
      faults.push(fieldError(path, 'notThere', { kind: kind.toLowerCase(), id }))
  }
  if (faults.length > 0) invalid(faults)
}

/** The URL that a cover is fetched from; '' if it is an id. */
export function addressIn(cover: SelectedMedia['cover']): string {
  const given = typeof cover === 'object' && cover !== null && 'url' in cover ? cover.url : cover
  return typeof given === 'string' && /^https?:\/\//i.test(given) ? given : ''
}

/** The id that a cover is given by; '' for none. */
export function idIn(cover: SelectedMedia['cover']): string {
  if (typeof cover === 'string' || cover === null) return cover ?? ''
  return '_id' in cover ? cover._id : cover.url
}

interface Link {
  kind: Kind
  id: string
  path: string
}

/** What a selection links to by id. */
const linksOf = (selected: SelectedMedia): Link[] => [
  ...linksIn(selected),
  ...selected.relatedMedia.map((id, at): Link => ({ kind: 'Media', id, path: `relatedMedia.${at}` })),
  ...selected.characters.flatMap((choice, at): Link[] => {
    const id = typeof choice === 'string' ? choice : '_id' in choice ? choice._id : choice.existing
    if (id) return [{ kind: 'Character', id, path: `characters.${at}` }]
    return linksIn(choice as DescribedCharacter, `characters.${at}.`)
  }),
]

const linksIn = ({ tags, assets, cover }: Pick<SelectedMedia, 'tags' | 'assets' | 'cover'>, prefix = ''): Link[] => [
  ...(addressIn(cover) || !idIn(cover) ? [] : [{ kind: 'Asset', id: idIn(cover), path: `${prefix}cover` } as const]),
  ...tags.flatMap((choice, at): Link[] =>
    typeof choice === 'object' && '_id' in choice ? [{ kind: 'Tag', id: choice._id, path: `${prefix}tags.${at}` }] : [],
  ),
  ...assets.map((id, at): Link => ({ kind: 'Asset', id, path: `${prefix}assets.${at}` })),
]
