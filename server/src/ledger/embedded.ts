// Entities that an answer shows within others, such as the tags of the media in a list. A few large ones, each shown
// many times, would make an answer of gigabytes: there is a limit to their size in all, and each has a share of it.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { MAX_ENTITY_BYTES } from '@mokuroku/contract/common'
import { kindOf, type Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { db } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { type Meta, TABLES } from '#database/tables.ts'
import { linkFields } from './fields.ts'
import { pagesBySize } from './pages.ts'
import { definitionOf } from './registry.ts'
import { emptyTexts } from './texts.ts'

/** The maximum size of all embedded entities of an answer, if each has a title of `MAX_TITLE_CHARS`. */
const MAX_BYTES = 16_000_000
/** The least share of an entity, about the size of its id and a title. */
const MIN_SHARE_BYTES = 150
/** The maximum length of a title of a shortened entity. */
const MAX_TITLE_CHARS = 100

type Translations = Record<string, Record<string, string>>

/** How large an embedded entity may be if `count` are shown, in bytes. */
export const shareOf = (count: number): number => Math.max(MIN_SHARE_BYTES, Math.floor(MAX_BYTES / count))

/**
 * The rows of entities outside the trash, by id; `ids` has an id as often as the entity is shown. One that is larger
 * than its share is shortened: it has only titles, and links to nothing but its cover.
 */
export async function embeddedRows(kind: Translated, ids: string[]): Promise<Map<string, Document & Meta>> {
  const rows = new Map<string, Document & Meta>()
  const different = [...new Set(ids)]
  if (different.length === 0) return rows
  const areAllWhole = ids.length * MAX_ENTITY_BYTES <= MAX_BYTES
  for (const page of areAllWhole ? [different] : await pagesBySize(db, kind, different)) {
    const query = db.selectFrom(TABLES[kind]).selectAll().where(inList('_id', page)).where('deletedAt', 'is', null)
    for (const row of (await query.execute()) as (Document & Meta)[])
      rows.set(row._id, areAllWhole ? row : shortenedRow(kind, row, shareOf(ids.length)))
    await yieldToEventLoop()
  }
  return rows
}

function shortenedRow(kind: Translated, row: Document & Meta, share: number): Document & Meta {
  // Its tags are embedded, too.
  const tagBytes = Array.isArray(row.tags) ? row.tags.length * MIN_SHARE_BYTES : 0
  if (Buffer.byteLength(JSON.stringify(row)) + tagBytes <= share) return row
  const { aliases = '', readings = '' } = kindOf(kind).texts ?? {}
  const lists = linkFields(definitionOf(kind)).filter(([name]) => Array.isArray(row[name]))
  return {
    ...row,
    ...Object.fromEntries(lists.map(([name]) => [name, []])),
    [aliases]: undefined,
    [readings]: undefined,
    translations: shortenedTexts(kind, row.translations as Translations, share),
  }
}

/** The titles of as many languages as fit, at least one: English, or the first with a title. Other texts are empty. */
export function shortenedTexts<Texts extends Translations>(kind: Translated, texts: Texts, share: number): Texts {
  const { title = '' } = kindOf(kind).texts ?? {}
  const titles = Object.entries(texts)
    .filter(([, each]) => each[title])
    .toSorted(([one], [other]) => Number(other === 'en') - Number(one === 'en'))
    .map(([language, each]) => {
      const short = Array.from(each[title] ?? '')
        .slice(0, MAX_TITLE_CHARS)
        .join('')
      return [language, { ...emptyTexts(kind), [title]: short }] as const
    })
  let left = share
  const fitting = titles.filter((each, at) => {
    left -= Buffer.byteLength(JSON.stringify(each))
    return at === 0 || left >= 0
  })
  return Object.fromEntries(fitting) as Texts
}
