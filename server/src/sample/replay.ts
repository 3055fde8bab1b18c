import { transaction } from '#database/db.ts'
import { characters } from '#store/characters'
import { history } from '#store/history'
import { emptyTexts } from '#ledger/texts.ts'
import { media } from '#store/media'
import { type SampleEdit, sampleEdits } from './edits.ts'
import { actorOf, contextAt, idsOf } from './records.ts'

/** Replays the changes of translations as edits, including rollbacks. */
export async function replayEdits(): Promise<void> {
  for (const edit of sampleEdits()) {
    const [entityId = ''] = idsOf([edit.key])
    const changed = await write(edit, entityId, edit.oldValue, edit.newValue, contextAt(edit.at, edit.username))
    if (!changed || !edit.rolledBack) continue
    const { username, reason, at } = edit.rolledBack
    const { language, field, newValue } = edit
    await transaction((tx) =>
      history.markRolledBack(tx, { entityId, language, field, newValue }, { by: username, reason, at }),
    )
    await write(edit, entityId, edit.newValue, edit.oldValue, {
      actor: actorOf(username),
      at,
      origin: 'rollback',
      reason,
    })
  }
}

/** Writes one text, unless it is no longer the one that the edit starts from. */
async function write(
  edit: SampleEdit,
  id: string,
  from: string,
  to: string,
  context: ReturnType<typeof contextAt>,
): Promise<boolean> {
  const store = edit.entityType === 'Media' ? media : characters
  const row = await store.row(id)
  const translations = row?.translations as Record<string, Record<string, string>> | undefined
  if (!translations || (translations[edit.language]?.[edit.field] ?? '') !== from) return false
  const texts = { ...emptyTexts(edit.entityType), ...translations[edit.language], [edit.field]: to }
  await store.update(id, { translations: { ...translations, [edit.language]: texts } } as never, context)
  return true
}
