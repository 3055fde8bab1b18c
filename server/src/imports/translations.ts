// Plans rows that are texts of an entity of any kind, in one language.
import { LanguageTag, MAX_LANGUAGES } from '@mokuroku/contract/common'
import { fieldError } from '@mokuroku/contract/faults'
import { columnOf } from '@mokuroku/contract/imports'
import { kindOf, type Translated, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { normalize } from '@mokuroku/contract/normalize'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Actor } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import type { Row } from '#ledger/definition.ts'
import { definitionOf } from '#ledger/registry.ts'
import { linkerOf } from './links.ts'
import {
  entitiesOf,
  faultyRow,
  planChanged,
  refusedId,
  refusedRow,
  type RowPlan,
  rowsNaming,
  trashReasons,
} from './plan.ts'
import { type Draft, draftsOf, type FileRow, type Import, readingOf } from './readCells.ts'

/** An entity that a row names by its `_id`. */
interface Found {
  kind: Translated
  row: Row<Document>
}

/** Plans rows of texts with the actor's permissions: a text is new if its entity has none in this language. */
export async function planTranslations(given: Import, rows: FileRow[], actor: Actor): Promise<RowPlan[]> {
  const drafts = draftsOf(given, rows)
  const ids = [...new Set(drafts.map(({ id }) => id).filter(Boolean))]
  const [found, { earlier, added }] = [await foundBy(ids), await earlierTexts(given, ids)]
  const trashed = await trashReasons(
    db,
    [...found.values()].map((entry) => entry.row),
  )
  const context = { actor, trashed, link: await linkerOf([]), ...readingOf(given) }
  return drafts.map((draft) => {
    const { row, id } = draft
    if (row.fault !== null) return refusedRow(row, row.fault)
    if (id === '') return refusedId(row, reasonText('rowNoId'))
    const language = languageOf(draft)
    if (language === undefined) return faultyRow(row, [fieldError('language', 'languageTag')])
    const entry = found.get(id)
    if (!entry) return refusedId(row, reasonText('rowNoEntry'))
    const line = earlier.get(keyOf(id, language))
    if (line !== undefined)
      return { ...refusedId(row, reasonText('rowTextTwice', { row: line }), id), entityType: entry.kind }
    earlier.set(keyOf(id, language), row.line)
    const { kind, row: existing } = entry
    const texts = textsIn(kind, draft.texts, language)
    const plan = planChanged({ ...context, kind, definition: definitionOf(kind) }, { ...draft, texts, existing })
    const there = existing.translations as Document
    if (plan.outcome !== 'changed' || Object.hasOwn(there, language)) return { ...plan, entityType: kind }
    const count = (added.get(id) ?? 0) + 1
    if (Object.keys(there).length + count > MAX_LANGUAGES)
      return { ...faultyRow(row, [fieldError('translations', 'languagesMany')], id), entityType: kind }
    added.set(id, count)
    return { ...plan, entityType: kind, outcome: 'new' }
  })
}

const keyOf = (id: string, language: string): string => `${id} ${language}`

/** The language tag of a row in canonical form; undefined if it is missing or invalid. */
function languageOf({ texts }: Draft): string | undefined {
  const tag = texts.find(([path]) => path === 'language')?.[1] ?? ''
  return LanguageTag.safeParse(normalize(tag, 'NFKC').trim()).data
}

/** The texts of a row, by their paths in an entity of the kind. */
const textsIn = (kind: Translated, texts: Draft['texts'], language: string): Draft['texts'] =>
  (kindOf(kind).texts?.fields ?? []).flatMap((field): Draft['texts'] => {
    const text = texts.find(([path]) => path === columnOf(kind, field))
    return text ? [[`translations.${language}.${field}`, text[1]]] : []
  })

async function foundBy(ids: string[]): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  for (const kind of TRANSLATED_KINDS) for (const [id, row] of await entitiesOf(kind, ids)) found.set(id, { kind, row })
  return found
}

/**
 * The line numbers of earlier rows with texts of these entities, by entity and language; and how many languages they
 * add, by entity.
 */
async function earlierTexts(
  given: Import,
  ids: string[],
): Promise<{ earlier: Map<string, number>; added: Map<string, number> }> {
  const [earlier, added] = [new Map<string, number>(), new Map<string, number>()]
  if (ids.length === 0) return { earlier, added }
  const rows = await rowsNaming(given._id, ids).selectAll('importRows').select('importPlans.outcome').execute()
  for (const [at, draft] of draftsOf(given, rows).entries()) {
    earlier.set(keyOf(draft.id, languageOf(draft) ?? ''), draft.row.line)
    if (rows[at]?.outcome === 'new') added.set(draft.id, (added.get(draft.id) ?? 0) + 1)
  }
  return { earlier, added }
}
