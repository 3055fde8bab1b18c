import { type Fields, textOf } from './editorText.ts'

/**
 * The text of an editor without what stands in these fields: each value is emptied. A text that is no JSON yet loses
 * everything up to the next line that begins a field, for nobody can tell where its value ends.
 */
export function redactSecrets(text: string, names: readonly string[]): string {
  if (names.length === 0) return text
  const value = parsed(text)
  if (!value) return names.reduce((kept, name) => kept.replace(unfinished(name), '$1""'), text)
  const emptied = names.reduce((kept, name) => kept.replace(finished(name), '$1""'), text)
  const left = parsed(emptied) ?? {}
  const still = names.filter((name) => left[name] !== undefined && left[name] !== '')
  return still.length === 0 ? emptied : textOf({ ...value, ...Object.fromEntries(names.map((name) => [name, ''])) })
}

/** What stands in these fields of an editor's text. */
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
