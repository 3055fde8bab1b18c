import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { fieldError } from '@mokuroku/contract/faults'
import { TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { type Fold, type FoldResult } from '@mokuroku/contract/languages'
import { areRelated } from '@mokuroku/contract/languageTags'
import type { Document } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import { SETTINGS_ID } from '@mokuroku/contract/settings'
import { transaction, type Transaction } from '#database/db.ts'
import { lockRows } from '#database/locks.ts'
import type { Actor } from '#access/permissions.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf, findRow } from '#ledger/rows.ts'
import { updateIn } from '#ledger/write.ts'
import { invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { languages } from '#store/languages'

/** Number of rows read at a time. */
const READ_SIZE = 1000
/** Number of entities changed in one transaction. */
const PAGE_SIZE = 100
/** Number of entities named in the result. */
const MAX_NAMED = 20
/** Maximum number of entities folded within one request. */
const MAX_FOLDED = 5000

type Texts = Record<string, Record<string, string>>

/** Previews a fold. Throws 400 if the two languages are not of one family. */
export async function previewFold(input: Fold): Promise<FoldResult> {
  assertRelated(input)
  const result = emptyResult(input)
  for await (const { kind, entities } of pagesOf(input.from))
    for (const { _id, document } of entities) note(result, kind, _id, document)
  return result
}

/** Like `fold`, but throws 400 if there are too many entities for one request. */
export async function foldSome(input: Fold, actor: Actor): Promise<FoldResult> {
  const { kinds } = await previewFold(input)
  const message = reasonText('foldMany', { limit: MAX_FOLDED })
  if (kinds.reduce((sum, { count }) => sum + count, 0) > MAX_FOLDED) invalid([{ path: 'from', message }], message)
  return fold(input, actor)
}

/**
 * Moves every text in `from` to `to` unless there is one already, as one batch, in several transactions. If it is
 * interrupted, calling it again continues with the rest.
 */
export async function fold(input: Fold, actor: Actor): Promise<FoldResult> {
  assertRelated(input)
  const result = { ...emptyResult(input), batch: newId() }
  const context: WriteContext = {
    actor,
    batch: result.batch,
    reason: `${input.from} folded into ${input.to}`,
    quiet: true,
  }
  for await (const { kind, entities } of pagesOf(input.from)) {
    const folded = await transaction((tx) => foldPage(tx, kind, entities, input, context))
    for (const { _id, document } of folded) note(result, kind, _id, document)
  }
  await transaction((tx) => foldSettings(tx, input, context))
  return result.kinds.some(({ count }) => count > 0) ? result : { ...result, batch: null }
}

interface Entity {
  _id: string
  document: Document
}

async function foldPage(
  tx: Transaction,
  kind: Translated,
  page: Entity[],
  input: Fold,
  context: WriteContext,
): Promise<Entity[]> {
  const definition = definitionOf(kind)
  const rows = page.map(({ _id: id }) => ({ kind, id }))
  await lockRows(tx, rows)
  const folded: Entity[] = []
  for (const { id } of rows) {
    const row = await findRow(definition, id, tx)
    const document = row && !row.deletedAt ? fieldsOf(definition, row) : undefined
    // It may have been changed since it was listed.
    if (!document || !(input.from in textsOf(document))) continue
    await updateIn(definition, tx, id, { translations: foldTexts(textsOf(document), input) }, context)
    folded.push({ _id: id, document })
  }
  return folded
}

/** The texts without those in `from`, which fill what is missing in `to`. */
function foldTexts({ ...texts }: Texts, { from, to }: Fold): Texts {
  const [moved = {}, there = {}] = [texts[from], texts[to]]
  delete texts[from]
  const filled = Object.entries(there).filter(([, text]) => text.trim() !== '')
  return { ...texts, [to]: { ...there, ...moved, ...Object.fromEntries(filled) } }
}

async function foldSettings(tx: Transaction, { from, to }: Fold, context: WriteContext): Promise<void> {
  const definition = definitionOf('Setting')
  const row = await findRow(definition, SETTINGS_ID, tx)
  if (!row) return
  const { languages: tags = [], defaultLanguage } = fieldsOf(definition, row) as {
    languages?: string[]
    defaultLanguage?: string
  }
  const next = (tag: string | undefined) => (tag === from ? to : tag)
  const input = { languages: [...new Set(tags.map(next))], defaultLanguage: next(defaultLanguage) }
  await updateIn(definition, tx, SETTINGS_ID, input, context)
}

/**
 * The entities outside the trash with texts in a language, in pages. No index covers this, so all rows are
 * read, READ_SIZE at a time, and other requests get a turn in between.
 */
async function* pagesOf(language: string): AsyncGenerator<{ kind: Translated; entities: Entity[] }> {
  for (const kind of TRANSLATED_KINDS)
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { rows, next } = await languages.having(kind, language, cursor, READ_SIZE)
      for (let at = 0; at < rows.length; at += PAGE_SIZE) {
        const some = rows.slice(at, at + PAGE_SIZE)
        yield { kind, entities: some.map((row) => ({ _id: row._id, document: fieldsOf(definitionOf(kind), row) })) }
      }
      await yieldToEventLoop()
      cursor = next
    }
}

const textsOf = (document: Document): Texts => (document.translations ?? {}) as Texts

const emptyResult = (input: Fold): FoldResult => ({
  ...input,
  kinds: TRANSLATED_KINDS.map((entityType) => ({ entityType, count: 0, kept: 0 })),
  first: [],
  batch: null,
})

/** Counts an entity, given its state before the fold. */
function note({ kinds, first, from, to }: FoldResult, entityType: Translated, _id: string, document: Document): void {
  const { [from]: moved = {}, [to]: there = {} } = textsOf(document)
  const kept = Object.entries(moved).some(([field, text]) => text.trim() !== '' && (there[field] ?? '').trim() !== '')
  const counts = kinds.find((each) => each.entityType === entityType)
  if (counts) {
    counts.count += 1
    if (kept) counts.kept += 1
  }
  if (first.length < MAX_NAMED) first.push({ entityType, _id, title: definitionOf(entityType).title(document), kept })
}

function assertRelated({ from, to }: Fold): void {
  if (from === to || !areRelated(from, to)) invalid([fieldError('to', 'languageFamily')])
}
