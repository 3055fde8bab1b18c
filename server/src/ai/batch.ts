import { BatchItem, type BatchAnswer } from '@mokuroku/contract/ai'
import { issueLines } from '@mokuroku/contract/issues'
import { reasonText } from '@mokuroku/contract/reasons'
import type * as z from 'zod/mini'
import { transaction, type Transaction } from '#database/db.ts'
import { notFound, Refusal } from '#lib/errors.ts'
import { machineFault, type MachineFault } from '#lib/faults.ts'
import { newId } from '#lib/ids.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { snapshotAt } from '#ledger/snapshots.ts'
import type { Actor } from '#access/permissions.ts'
import type { Assist } from '#ledger/provenance.ts'
import type { MediaFields } from '#database/tables.ts'
import { media } from '#store/media'
import { notifications } from '#store/notifications'

/** From this batch size on, saves create no activities of their own. */
const NOTIFY_FROM = 20

/** A machine fault (e.g. a full disk). The remaining items are not tried after it, unless its code is `busy`. */
type Broken = MachineFault & { error: unknown }
type Answer = z.output<typeof BatchAnswer>
type Translations = MediaFields['translations']

/**
 * Saves the texts of several media as one batch, which can be rolled back as a whole. Each media item is saved
 * completely or not at all. Failed items are listed in `errors` and do not keep the others from being saved.
 */
export async function saveBatch(
  given: unknown[],
  { actor, assists }: { actor: Actor; assists?: Assist[] },
): Promise<Answer> {
  const batch = newId()
  const context: WriteContext = {
    actor,
    origin: 'ai',
    batch,
    quiet: given.length >= NOTIFY_FROM,
    ...(assists && { assists }),
  }
  const errors: Answer['errors'] = []
  // A media item may be there twice, with different languages.
  const saved = new Set<string>()
  let broken: Broken | undefined
  for (const each of given) {
    const item = BatchItem.safeParse(each)
    const id = item.success ? item.data.id : idIn(each)
    if (!item.success) errors.push({ id, code: 'invalid', message: messageOf(item.error, each) })
    else {
      const refusal: Refusal | Broken | undefined = broken ?? (await save(item.data, context))
      if (refusal && 'error' in refusal && refusal.code !== 'busy') broken = refusal
      if (refusal) errors.push({ id, code: refusal.code, message: refusal.message })
      else saved.add(item.data.id)
    }
  }
  const count = saved.size
  if (broken && count === 0) throw broken.error
  if (count > 0) {
    const data = { what: 'translations' as const, count, failed: errors.length, batch }
    // Each media item was saved in its own transaction, so only here is it known that the batch is finished.
    const notified = transaction(async (tx) =>
      notifications.notify(tx, [{ to: actor._id, kind: 'BATCH_FINISHED', data }]),
    )
    await notified.catch((error: unknown) => {
      if (!machineFault(error)) throw error
    })
  }
  const message = count > 0 ? `Successfully updated ${count} media items` : failed(errors)
  return { success: count > 0, count, message, errors, batch: count > 0 ? batch : null }
}

const failed = ([first, second]: Answer['errors']): string =>
  first && !second ? first.message : reasonText('noneSaved')

async function save(
  { id, translations, version }: BatchItem,
  context: WriteContext,
): Promise<Refusal | Broken | undefined> {
  try {
    await transaction(async (tx) => {
      const texts = overlaid(await textsAt(tx, id, version), translations)
      await media.updateIn(tx, id, { translations: texts }, context, version)
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    const fault = machineFault(error)
    if (fault) return { ...fault, error }
    throw error
  }
}

/** The texts that the caller saw: those of the given version, or the current ones. */
async function textsAt(tx: Transaction, id: string, version: number | undefined): Promise<Translations> {
  const row = await media.row(id, tx)
  if (!row) return notFound('Media')
  const seen = version === undefined || version === row.version ? row : await snapshotAt(tx, id, version)
  return ((seen ?? row) as { translations: Translations }).translations
}

/** Overlays the sent texts on the current ones, field by field. An empty text replaces nothing. */
function overlaid(there: Translations, sent: BatchItem['translations']): Translations {
  const result = { ...there }
  for (const [tag, { title, description }] of Object.entries(sent)) {
    const { title: oldTitle = '', description: oldDescription = '' } = there[tag] ?? {}
    const texts = { title: title || oldTitle, description: description || oldDescription }
    if (texts.title || texts.description) result[tag] = texts
  }
  return result
}

/** A short error message for one item, since a batch has many. */
const messageOf = (error: z.core.$ZodError, item: unknown): string =>
  issueLines(error, item).slice(0, 3).join('; ').slice(0, 300)

const idIn = (item: unknown): string => {
  const { id } = (typeof item === 'object' && item !== null ? item : {}) as { id?: unknown }
  return typeof id === 'string' ? id : ''
}
