import type { Translated } from '@mokuroku/contract/history'
import type { Transaction } from '#lib/db.ts'
import type { By } from '#lib/keeping.ts'
import type { Tables } from '#lib/tables.ts'
import { titleOf } from '#lib/texts.ts'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { notifications } from '#store/notifications'
import { tags } from '#store/tags'

/** A text that was taken back. */
export type Taken = Pick<Tables['history'], 'entityType' | 'entityId' | 'language' | 'field' | 'updatedById'>

/** Tells those whose texts were taken back of it: each once, and nobody of what they did themselves. */
export async function tellAuthors(tx: Transaction, taken: Taken[], { actor, reason = '' }: By): Promise<void> {
  const news = []
  for (const [to, theirs] of Map.groupBy(taken, ({ updatedById }) => updatedById)) {
    const [first] = theirs
    if (!first || to === null || to === actor._id) continue
    const { entityId, language, field } = first
    const entityType = first.entityType as Translated
    const data = { by: actor.username, reason, count: theirs.length, entityType, entityId, language, field }
    const title = await titleIn(tx, entityType, entityId)
    news.push({ to, kind: 'CHANGES_ROLLED_BACK' as const, data: { ...data, title } })
  }
  await notifications.tell(tx, news)
}

async function titleIn(tx: Transaction, entityType: Translated, id: string): Promise<string> {
  if (entityType === 'Media') {
    const row = await media.row(id, tx)
    return row ? titleOf(row.translations, 'title', row.originalTitle) : ''
  }
  const row = await (entityType === 'Character' ? characters : tags).row(id, tx)
  return row ? titleOf(row.translations, 'name', 'originalName' in row ? row.originalName : '') : ''
}
