// The ETag of an entity. It begins with the version, which is all that If-Match compares; but an answer also shows what
// others bring about without a new version, such as ratings, uses and the names of tags. Where it shows any of that, a
// hash of the whole answer follows, so that an ETag stands for the same bytes always.
import { hash } from 'node:crypto'

const OWN = new Set(['_id', 'version', 'createdAt', 'createdBy', 'updatedAt'])
const ID = /^[\da-f]{8}-[\da-f]{4}-/i

/** Of an entity: the fields that an answer shows, and those of them that a save of it takes. */
interface Fields {
  shown: ReadonlySet<string>
  inputs: ReadonlySet<string>
}

/** An answer with a version: `text` is how it is sent. */
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

/** Whether the version alone decides over a field: texts and values, and no references, for what they show may change. */
const isPlain = (name: string, value: unknown): boolean =>
  name === 'translations' || isEmpty(value) || (typeof value === 'string' ? !ID.test(value) : typeof value !== 'object')

/** What a derived value is while there is nothing to derive it from. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === 0 || value === '' || (Array.isArray(value) && value.every(isEmpty))

/** Whether If-None-Match names an ETag, or any (RFC 9110, 13.1.2). Proxies that compress make a tag weak. */
export function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return (
    header.trim() === '*' || (header.match(/(?:W\/)?"[^"]*"/g) ?? []).some((each) => each.replace('W/', '') === tag)
  )
}
