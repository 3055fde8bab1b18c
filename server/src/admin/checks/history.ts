import { isDeepStrictEqual } from 'node:util'
import { kindOf } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { type Kysely, sql } from 'kysely'
import { db } from '#database/db.ts'
import { registeredKinds } from '../../kinds.ts'
import type { Tables } from '#database/tables.ts'
import { textAt } from '#ledger/record.ts'
import { definitionOf } from '#ledger/registry.ts'
import { documentOf } from '#ledger/snapshots.ts'
import { type Check, type Issue, readEach } from './check.ts'
import { changedFields } from './ledger.ts'

/** The number of versions read at a time: each can be as large as an entity. */
const VERSIONS_PER_PAGE = 100

type Version = Pick<
  Tables['revisions'],
  | '_id'
  | 'entityType'
  | 'entityId'
  | 'version'
  | 'action'
  | 'paths'
  | 'userId'
  | 'username'
  | 'createdAt'
  | 'snapshot'
  | 'delta'
>
type Key = Pick<Version, '_id' | 'entityType' | 'entityId' | 'version'>
type Cell = Pick<
  Tables['history'],
  'revisionId' | 'entityId' | 'language' | 'field' | 'oldValue' | 'newValue' | 'updatedById' | 'updatedBy' | 'createdAt'
>
/** A version that was checked last, with its document; undefined if that cannot be read. */
type Last = Pick<Version, 'entityId' | 'version'> & { document: Document | undefined }

/**
 * Every kept version of an entity can be read, and the fields and texts that it changed are those that it names, and
 * that the translation history has. There is no repair: which of them is wrong cannot be told.
 */
export const history: Check = {
  name: 'history',
  run: async function* inspect() {
    let last: Last | undefined
    for (let page = await versionsAfter(); page.length > 0; page = await versionsAfter(page.at(-1)))
      yield* await readEach(page, nameOf, async (tx, some) => {
        const compared = await compare(tx, some, last)
        last = compared.last
        return compared.issues
      })
  },
}

async function versionsAfter({ entityId, version }: Partial<Key> = {}): Promise<Key[]> {
  return db
    .selectFrom('revisions')
    .select(['_id', 'entityType', 'entityId', 'version'])
    .where(sql<boolean>`("entityId", "version") > (${entityId ?? ''}, ${version ?? 0})`)
    .where('entityType', 'in', registeredKinds)
    .orderBy('entityId')
    .orderBy('version')
    .limit(VERSIONS_PER_PAGE)
    .execute()
}

/** Compares versions with those before them, the first with `last`. Some may have been deleted, as they get old. */
async function compare(tx: Kysely<Tables>, page: Key[], last?: Last): Promise<{ issues: Issue[]; last?: Last }> {
  const ids = page.map(({ _id }) => _id)
  const versions: Version[] = await tx
    .selectFrom('revisions')
    .select(['_id', 'entityType', 'entityId', 'version', 'action', 'paths', 'userId', 'username', 'createdAt'])
    .select(['snapshot', 'delta'])
    .where('_id', 'in', ids)
    .orderBy('entityId')
    .orderBy('version')
    .execute()
  const cells = await tx.selectFrom('history').selectAll().where('revisionId', 'in', ids).execute()
  const cellsOf = Map.groupBy(cells, ({ revisionId }) => revisionId)
  const issues: Issue[] = []
  let previous = last
  for (const version of versions) {
    const { entityId } = version
    const isNext = previous?.entityId === entityId && previous.version === version.version - 1
    const before = isNext ? previous?.document : undefined
    const document = documentOf(version, before)
    previous = { entityId, version: version.version, document }
    const wrong = document ? wrongIn(version, before, document, cellsOf.get(version._id) ?? []) : 'cannot be read'
    if (wrong) issues.push({ what: `${nameOf(version)} ${wrong}` })
  }
  return { issues, ...(previous && { last: previous }) }
}

const nameOf = ({ entityType, entityId, version }: Key): string => `${entityType} ${entityId}: version ${version}`

/** What is wrong with a version; undefined if nothing, or if the version before it is not kept. */
function wrongIn(version: Version, before: Document | undefined, document: Document, cells: Cell[]) {
  if (version.action !== 'update' && cells.length > 0) return 'has changed texts, but is no update'
  if (!before) return undefined
  const definition = definitionOf(version.entityType)
  const changed = changedFields(definition, document, before)
  // Other paths name what no version contains, such as a password.
  const named = definition.fields.filter((field) => version.paths.some((path) => path.split('.')[0] === field))
  const unlike = [
    ...changed.filter((field) => !named.includes(field)),
    ...named.filter((field) => !changed.includes(field)),
  ]
  if (unlike.length > 0) return `differs from the one before it in other fields than it names: ${unlike.join(', ')}`
  if (version.action !== 'update') return undefined
  const [is, should] = [
    cells.map(cellName).toSorted(),
    cellsBetween(version, before, document).map(cellName).toSorted(),
  ]
  return isDeepStrictEqual(is, should) ? undefined : 'changed other texts than the translation history has'
}

/** The changed texts of a version, as the translation history should have them. */
function cellsBetween(version: Version, before: Document, after: Document): Cell[] {
  const { _id: revisionId, entityId, userId: updatedById, username: updatedBy, createdAt } = version
  return [...new Set([before, after].flatMap(({ translations }) => Object.keys(translations ?? {})))].flatMap(
    (language) =>
      (kindOf(version.entityType).texts?.fields ?? []).flatMap((field) => {
        const [oldValue, newValue] = [textAt(before, language, field), textAt(after, language, field)]
        return oldValue === newValue
          ? []
          : [{ revisionId, entityId, language, field, oldValue, newValue, updatedById, updatedBy, createdAt }]
      }),
  )
}

const cellName = ({ entityId, language, field, oldValue, newValue, updatedById, updatedBy, createdAt }: Cell): string =>
  JSON.stringify([entityId, language, field, oldValue, newValue, updatedById, updatedBy, createdAt])
