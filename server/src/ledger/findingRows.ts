import { findingsIn, type Rules, RULES_VERSION } from '@mokuroku/contract/findings/checks'
import type { Found } from '@mokuroku/contract/findings/check'
import type { FindingCode } from '@mokuroku/contract/findings'
import { isTranslated, type Kind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { createHash } from 'node:crypto'
import type { FindingKey, Tables } from '#database/tables.ts'

/** What a check found, and of which entity. */
export type EntityFinding = FindingKey & { text: string }

/** What an entity was and is: `before` is absent on create and restore, `after` on delete. */
export interface Derivation {
  id: string
  before: Document | undefined
  after: Document | undefined
}

/** An entity as it is to be checked. */
export interface CheckedEntity {
  id: string
  /** Absent for what is in the trash. */
  document: Document | undefined
}

/** Names the rules that hold. What was checked by others is checked anew. */
export const rulesName = ({ codes, wanted }: Rules): string =>
  hashOf(JSON.stringify([RULES_VERSION, codes.toSorted(), wanted]))

/** What tells two findings of all entities apart. */
export const keyOf = ({ entityId, code, language, field }: FindingKey): string =>
  JSON.stringify([entityId, code, language, field])

/** SHA-256 of a text, in hex. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** All that is found of an entity by the rules, dismissed or not; nothing of one that is not there. */
export function foundIn(kind: Kind, id: string, document: Document | undefined, rules: Rules): EntityFinding[] {
  if (!document || !isTranslated(kind)) return []
  return findingsIn(kind, document, rules).map((found: Found & { code: FindingCode }) => ({ ...found, entityId: id }))
}

/** Those that nobody called no problem for their text. */
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

/** Where the number of entities with a finding is kept; '' for all findings of the kind. */
export const counterOf = (kind: Kind, { code, language, field }: Omit<FindingKey, 'entityId'>): string =>
  `${countersOfKind(kind)}${code}.${language}.${field}`

/** How the names of the numbers of a kind begin. */
export const countersOfKind = (kind: Kind): string => `findingCount.${kind}.`

/** What such a number counts. */
export function subjectOf(counter: string): { code: FindingCode; language?: string; field?: string } {
  const [, , code = '', language = '', field = ''] = counter.split('.')
  return { code: code as FindingCode, ...presentOf({ language, field }) }
}

/** Without what is ''. */
export const presentOf = <Shape extends object>(shape: Shape): Partial<Shape> =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== '')) as Partial<Shape>
