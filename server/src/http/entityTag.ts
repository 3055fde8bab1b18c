// The ETag of an entity. It starts with the version, the only part that If-Match compares. But a response also shows
// data that changes without a new version, such as ratings, uses and the names of tags. If it shows any, a hash of the
// whole response follows, so that an ETag always stands for the same bytes.
import { hash } from 'node:crypto'

const OWN = new Set(['_id', 'version', 'createdAt', 'createdBy', 'updatedAt'])
const ID = /^[\da-f]{8}-[\da-f]{4}-/i

/** Of an entity: the fields that a response shows, and those of them that a save accepts. */
interface Fields {
  shown: ReadonlySet<string>
  inputs: ReadonlySet<string>
}

/** The ETag of an answer with a version; `text` is the response body. */
export function entityTag(
  answer: { version: unknown; [name: string]: unknown },
  text: string,
  { shown, inputs }: Fields,
): string {
  const showsOthers = [...shown].some((name) =>
    inputs.has(name) ? !isPlain(name, answer[name]) : !OWN.has(name) && !isEmpty(answer[name]),
  )
  if (!showsOthers) return `"${String(answer.version)}"`
  return `"${String(answer.version)}-${hash('sha256', text, 'base64url').slice(0, HASH_CHARS)}"`
}

/** 96 bits. */
const HASH_CHARS = 16

/**
 * Whether a field depends on the version alone: true for texts and other values, false for references, since what they
 * show may change.
 */
const isPlain = (name: string, value: unknown): boolean =>
  name === 'translations' || isEmpty(value) || (typeof value === 'string' ? !ID.test(value) : typeof value !== 'object')

/** The value of a derived field when there is nothing to derive it from. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === 0 || value === '' || (Array.isArray(value) && value.every(isEmpty))

/** Whether If-None-Match contains an ETag, or `*` (RFC 9110, 13.1.2). Proxies that compress make an ETag weak. */
export function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return (
    header.trim() === '*' || (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((each) => each.replace('W/', '') === tag)
  )
}
