import { findingsIn, type Rules, RULES_VERSION } from '@mokuroku/contract/findings/checks'
import type { Found } from '@mokuroku/contract/findings/check'
import type { FindingCode } from '@mokuroku/contract/findings'
import { isTranslated, type Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { createHash } from 'node:crypto'
import type { FindingKey, Tables } from '#database/tables.ts'
import { now } from '#lib/clock.ts'

/** A finding of a check, with its entity. */
export type EntityFinding = FindingKey & { text: string }

/** An entity before and after a write: `before` is absent on create and restore, `after` on delete. */
export interface Derivation {
  id: string
  before: Document | undefined
  after: Document | undefined
}

/** An entity to check. */
export interface CheckedEntity {
  id: string
  /** Absent if the entity is in the trash. */
  document: Document | undefined
}

/** A hash of the rules. Entities checked by other rules are checked again. */
export const rulesName = ({ codes, wanted }: Rules): string =>
  hashOf(JSON.stringify([RULES_VERSION, codes.toSorted(), wanted]))

/** The key of a finding among those of all entities. */
export const keyOf = ({ entityId, code, language, field }: FindingKey): string =>
  JSON.stringify([entityId, code, language, field])

/** The SHA-256 of a text, in hex. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** All findings of an entity by the rules, dismissed or not; none without a document. */
export function foundIn(kind: Kind, id: string, document: Document | undefined, rules: Rules): EntityFinding[] {
  if (!document || !isTranslated(kind)) return []
  const found: (Found & { code: FindingCode })[] = findingsIn(kind, document, rules, now())
  return found.map((each) => ({ ...each, entityId: id }))
}

/** The findings that nobody has dismissed for their current text. */
export function withoutDismissed<Each extends EntityFinding>(
  found: Each[],
  dismissals: Tables['dismissals'][],
): Each[] {
  const hashes = new Map(dismissals.map((each) => [keyOf(each), each.textHash]))
  return found.filter((finding) => {
    const hash = hashes.get(keyOf(finding))
    return hash === undefined || hash !== hashOf(finding.text)
  })
}

/** The name of the counter for the entities with a finding; '' stands for all findings of the kind. */
export const counterOf = (kind: Kind, { code, language, field }: Omit<FindingKey, 'entityId'>): string =>
  `${countersOfKind(kind)}${code}.${language}.${field}`

/** The prefix of the counters of a kind. */
export const countersOfKind = (kind: Kind): string => `findingCount.${kind}.`

/** What a counter counts; the inverse of `counterOf`. */
export function subjectOf(counter: string): { code: FindingCode; language?: string; field?: string } {
  const [, , code = '', language = '', field = ''] = counter.split('.')
  return { code: code as FindingCode, ...presentOf({ language, field }) }
}

/** The properties that are not ''. */
export const presentOf = <Shape extends object>(shape: Shape): Partial<Shape> =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== '')) as Partial<Shape>
