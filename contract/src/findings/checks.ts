import { type FindingCode, isRelatedFinding, type OwnFinding } from '../findings.ts'
import { kindOf, type Translated } from '../kinds.ts'
import { futureCompleted, noCharacters, noCover, noDescription, noTags } from './absent.ts'
import type { Check, Checked, Found } from './check.ts'
import { copied } from './copied.ts'
import { brackets, ellipsis, placeholder, spaces } from './form.ts'
import { latinOnly } from './latinOnly.ts'
import { missing } from './missing.ts'
import { mixed } from './mixed.ts'
import { script } from './script.ts'
import { season } from './season.ts'

/** Increment this when a check changes: the whole catalogue is then checked again in the background. */
export const RULES_VERSION = 6

const CHECKS: Record<OwnFinding, Check> = {
  missing,
  copied,
  script,
  latinOnly,
  mixed,
  spaces,
  brackets,
  ellipsis,
  placeholder,
  season,
  noCover,
  noTags,
  noDescription,
  noCharacters,
  futureCompleted,
}

/** The relevant settings: the enabled checks, and the wanted languages. */
export interface Rules {
  codes: readonly FindingCode[]
  wanted: readonly string[]
}

/** The findings that follow from an entity's document alone. `document` holds the fields that users edit. */
export function findingsIn(
  kind: Translated,
  document: Readonly<Record<string, unknown>>,
  { codes, wanted }: Rules,
  now = new Date().toISOString(),
): (Found & { code: OwnFinding })[] {
  const { title = '', original = '' } = kindOf(kind).texts ?? {}
  const entity: Checked = {
    title,
    original: (document[original] as string | null | undefined) ?? '',
    texts: (document.translations ?? {}) as Checked['texts'],
    document,
    now,
    wanted,
  }
  const own = codes.filter((code): code is OwnFinding => !isRelatedFinding(code))
  return own.flatMap((code) => CHECKS[code](entity).map((found) => ({ ...found, code })))
}
