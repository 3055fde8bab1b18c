import { type Fields, textOf } from './editorText.ts'

/**
 * Empties these fields in an editor's text. If the text is not valid JSON, everything up to the next line that starts a
 * field is removed, because the end of the value is unknown.
 */
export function redactSecrets(text: string, names: readonly string[]): string {
  if (names.length === 0) return text
  const value = parsed(text)
  if (!value) return names.reduce((result, name) => result.replace(unfinished(name), '$1""'), text)
  const emptied = names.reduce((result, name) => result.replace(finished(name), '$1""'), text)
  const left = parsed(emptied) ?? {}
  const still = names.filter((name) => left[name] !== undefined && left[name] !== '')
  return still.length === 0 ? emptied : textOf({ ...value, ...Object.fromEntries(names.map((name) => [name, ''])) })
}

/** The values of these fields in an editor's text. */
export function secretsIn(text: string, names: readonly string[] = []): Fields {
  const value = parsed(text) ?? {}
  return Object.fromEntries(names.filter((name) => value[name] !== undefined).map((name) => [name, value[name]]))
}

const finished = (name: string) => new RegExp(`("${name}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'g')
const unfinished = (name: string) => new RegExp(`(["']?${name}["']?\\s*:\\s*)[^]*?(?=\\n\\s*["}\\]]|$)`, 'g')

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
