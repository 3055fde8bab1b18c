import { isDeepStrictEqual } from 'node:util'
import { isRelatedFinding } from '@mokuroku/contract/findings'
import type { Rules } from '@mokuroku/contract/findings/checks'
import { isTranslated, type Kind, type Translated } from '@mokuroku/contract/kinds'
import { sharedAdvisoryLock, type Transaction } from '#database/db.ts'
import { together } from '#database/executor.ts'
import {
  type CheckedEntity,
  type Derivation,
  type EntityFinding,
  foundIn,
  keyOf,
  withoutDismissed,
} from './findingRows.ts'
import { rulesIn, storedOf, writeFindings } from './findingStore.ts'
import { flagAssets } from './assetFlags.ts'
import { relate, relateAgain, relateAsset, readRelatedAhead } from './relatedFindings.ts'

/**
 * The lock shared by writes that check entities with the rules as they have read them; a rebuild waits for those that
 * started before it.
 */
export const CHECKED_WRITES = 'writes with findings'

type OnRules = (tx: Transaction) => Promise<unknown>
let rulesChanged: OnRules = () => Promise.resolve()
/** Runs `act` in every change of the settings that changes the findings. */
export const whenRulesChange = (act: OnRules): void => void (rulesChanged = act)

const changesRules = ({ before, after }: Derivation): boolean =>
  ['languages', 'findings'].some((name) => !isDeepStrictEqual(before?.[name], after?.[name]))

const rulesKnown = new WeakMap<Transaction, Promise<Rules>>()

/**
 * The rules, which a transaction reads once, under the lock that makes a rebuild wait for it. It may take that lock
 * before it locks more rows; when a rebuild begins, PostgreSQL may need a second to resolve who waits for whom.
 */
function lockedRules(tx: Transaction): Promise<Rules> {
  const known =
    rulesKnown.get(tx) ?? together(sharedAdvisoryLock(tx, CHECKED_WRITES), rulesIn(tx)).then(([, rules]) => rules)
  rulesKnown.set(tx, known)
  return known
}

/** Reads what `deriveFindings` will need if texts of an entity change. */
export async function readFindingsAhead(tx: Transaction, kind: Kind, id: string): Promise<void> {
  if (isTranslated(kind)) await together(lockedRules(tx), readRelatedAhead(tx, id))
}

/** Updates the stored findings of entities of one kind after they were written. */
export async function deriveFindings(tx: Transaction, kind: Kind, changes: Derivation[]): Promise<void> {
  if (kind === 'Setting' && changes.some(changesRules)) {
    rulesKnown.delete(tx)
    await rulesChanged(tx)
  }
  if (!isTranslated(kind)) return
  relate(tx, kind, changes)
  const rules = await lockedRules(tx)
  const changed = changes.filter(({ id, before, after }) => {
    // A delete also removes findings of earlier rules.
    if (!after) return true
    const [was, is] = [foundIn(kind, id, before, rules), foundIn(kind, id, after, rules)]
    return was.length !== is.length || !was.every((each, at) => isSame(each, is[at]))
  })
  await refreshOwn(tx, kind, changed.map(documentOf), rules)
}

/**
 * Updates the findings of all entities that link to assets, after the assets were created, deleted or restored, or
 * failed.
 */
export async function deriveUses(tx: Transaction, assetIds: string[]): Promise<void> {
  flagAssets(tx, assetIds)
  await sharedAdvisoryLock(tx, CHECKED_WRITES)
  for (const id of assetIds) relateAsset(tx, id)
}

/** Deletes the dismissals of an entity that is purged. */
export async function forgetFindings(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('dismissals').where('entityId', '=', id).execute()
}

const documentOf = ({ id, after }: Derivation): CheckedEntity => ({ id, document: after })

const isSame = (one: EntityFinding, other: EntityFinding | undefined): boolean =>
  other !== undefined && keyOf(one) === keyOf(other) && one.text === other.text

/** Recomputes the stored findings of entities, writes only the differences, and counts them. */
export async function refreshFindings(
  tx: Transaction,
  kind: Translated,
  entities: CheckedEntity[],
  given?: Rules,
): Promise<void> {
  await refreshOwn(tx, kind, entities, given)
  relateAgain(tx, kind, entities)
}

/** Like `refreshFindings`, for findings that depend only on the entity's own document. */
async function refreshOwn(tx: Transaction, kind: Translated, entities: CheckedEntity[], given?: Rules): Promise<void> {
  if (entities.length === 0) return
  const rules = given ?? (await rulesIn(tx))
  const ids = entities.map(({ id }) => id)
  const [stored, dismissals] = await together(storedOf(tx, 'findings', ids), storedOf(tx, 'dismissals', ids))
  const found = entities.flatMap(({ id, document }) => foundIn(kind, id, document, rules))
  const expected = withoutDismissed(found, dismissals).map((each) => ({ ...each, entityType: kind }))
  await writeFindings(
    tx,
    stored.filter(({ code }) => !isRelatedFinding(code)),
    expected,
  )
}
