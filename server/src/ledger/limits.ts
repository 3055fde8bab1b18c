import { MAX_ENTITY_BYTES, MAX_LANGUAGES, MAX_NAMES, MAX_REFS } from '@mokuroku/contract/common'
import type { FieldError } from '@mokuroku/contract/call'
import { fieldError } from '@mokuroku/contract/faults'
import { kindOf } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { invalid } from '#lib/errors.ts'
import type { EntityDefinition } from './definition.ts'
import { linkFields } from './fields.ts'

/**
 * Throws 400 if a field has grown beyond its limit. The contract checks each input, but what several users or both sides
 * of a relation add may exceed the limit together, and then no editor could save the entity.
 */
export function limitGrowth<Fields extends Document>(
  definition: Pick<EntityDefinition<Fields>, 'kind' | 'links'>,
  before: Fields,
  after: Fields,
): void {
  const faults = growthFaults(definition, before, after)
  if (faults.length > 0) invalid(faults)
}

/** The fields that have grown beyond their limits; one that already was beyond it may stay as long as it is. */
export function growthFaults<Fields extends Document>(
  definition: Pick<EntityDefinition<Fields>, 'kind' | 'links'>,
  before: Fields,
  after: Fields,
): FieldError[] {
  const isOver = (name: string, limit: number) => sizeOf(after[name]) > Math.max(limit, sizeOf(before[name]))
  const { aliases = '', readings = '' } = kindOf(definition.kind).texts ?? {}
  const lists = [
    ...linkFields(definition).map(([name]) => ({ name, limit: MAX_REFS })),
    ...[aliases, readings].map((name) => ({ name, limit: MAX_NAMES })),
  ]
  const faults = lists
    .filter(({ name, limit }) => isOver(name, limit))
    .map(({ name, limit }) => fieldError(name, 'tooMany', { limit }))
  if (isOver('translations', MAX_LANGUAGES)) faults.push(fieldError('translations', 'languagesMany'))
  return faults
}

/** Throws 400 if an entity is too large. */
export function limitSize(before: Document | undefined, after: Document): void {
  if (isTooLarge(before, after)) invalid([SIZE_FAULT])
}

/** Whether an entity is too large; one that already was may stay as large as it is, or become smaller. */
export function isTooLarge(before: Document | undefined, after: Document): boolean {
  const bytes = bytesOf(after)
  return bytes > MAX_ENTITY_BYTES && (!before || bytes > bytesOf(before))
}

export const SIZE_FAULT = fieldError('translations', 'entityLarge')

const bytesOf = (document: Document): number => Buffer.byteLength(JSON.stringify(document))

/** The number of entries of a list or of languages; 0 for anything else. */
const sizeOf = (value: unknown): number => (typeof value === 'object' && value !== null ? Object.keys(value).length : 0)
