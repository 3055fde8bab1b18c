import { createHash } from 'node:crypto'
import { duplicateKeys, MAX_DAYS_APART } from '@mokuroku/contract/findings/duplicate'
import type { Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { type Kysely, sql } from 'kysely'
import type { Transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import type { Tables } from '#database/tables.ts'
import { type CheckedEntity, hashOf } from './findingRows.ts'

export type TitleKey = Tables['titleKeys']

/** The rows that an entity is to have; none of what is not there. */
function titleKeysOf(kind: Translated, entityId: string, document: Document | undefined): TitleKey[] {
  if (!document) return []
  const { keys, day } = duplicateKeys(kind, document)
  return keys.map((key) => ({ key: shortHash(key), day, entityId, entityType: kind }))
}

/** 128 bits of SHA-256. */
const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** What the finding depends on: what is no problem of these titles may be one of others. */
export const textOfKeys = (rows: TitleKey[]): string =>
  rows
    .map(({ key, day }) => `${key} ${day}`)
    .toSorted()
    .join('\n')

/** The rows that entities are to have, without those whose duplicates somebody called no problem as they are. */
export function wantedKeys(
  kind: Translated,
  entities: CheckedEntity[],
  dismissals: Pick<Tables['dismissals'], 'entityId' | 'code' | 'textHash'>[],
): TitleKey[] {
  const hashes = new Map(
    dismissals.filter(({ code }) => code === 'duplicate').map(({ entityId, textHash }) => [entityId, textHash]),
  )
  return entities.flatMap(({ id, document }) => {
    const rows = titleKeysOf(kind, id, document)
    return rows.length > 0 && hashes.get(id) === hashOf(textOfKeys(rows)) ? [] : rows
  })
}

export const storedKeys = (tx: Pick<Kysely<Tables>, 'selectFrom'>, ids: string[]): Promise<TitleKey[]> =>
  tx.selectFrom('titleKeys').selectAll().where('entityId', 'in', ids).execute()

/** Makes the rows of entities what they are to be. */
export async function writeKeys(tx: Transaction, stored: TitleKey[], wanted: TitleKey[]): Promise<void> {
  const [old, next] = [new Set(stored.map(rowName)), new Set(wanted.map(rowName))]
  for (const { entityId, key } of stored.filter((row) => !next.has(rowName(row))))
    await tx.deleteFrom('titleKeys').where('entityId', '=', entityId).where('key', '=', key).execute()
  await insertRows(
    tx,
    'titleKeys',
    wanted.filter((row) => !old.has(rowName(row))),
  )
}

export const rowName = ({ key, day, entityId }: TitleKey): string => `${key} ${day} ${entityId}`

/** An entity, and who stands next to it by one of its keys, near enough to be likely the same. */
export interface Neighbours {
  id: string
  kind: Translated
  before: string | null
  after: string | null
}

/**
 * For each key of the entities, who comes before and after them by it; read from the index, however many share a title.
 * Whoever has no likely duplicate but one of these stands next to it: what is between two that are near is near to both.
 */
export async function neighboursOf(tx: Kysely<Tables>, ids: string[]): Promise<Neighbours[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Neighbours>`
    SELECT "own"."entityId" AS "id", "own"."entityType" AS "kind",
      (SELECT "near"."entityId" FROM "titleKeys" "near"
       WHERE "near"."key" = "own"."key" AND "near"."day" >= "own"."day" - ${sql.lit(MAX_DAYS_APART)}
         AND ("near"."day", "near"."entityId") < ("own"."day", "own"."entityId")
       ORDER BY "near"."day" DESC, "near"."entityId" DESC LIMIT 1) AS "before",
      (SELECT "near"."entityId" FROM "titleKeys" "near"
       WHERE "near"."key" = "own"."key" AND "near"."day" <= "own"."day" + ${sql.lit(MAX_DAYS_APART)}
         AND ("near"."day", "near"."entityId") > ("own"."day", "own"."entityId")
       ORDER BY "near"."day", "near"."entityId" LIMIT 1) AS "after"
    FROM "titleKeys" "own" WHERE "own"."entityId" IN (${sql.join(ids)})`.execute(tx)
  return rows
}
