import { CHANGES } from './changes.ts'
import type { SampleEdit } from './types.ts'
import { sampleCharacters, sampleWorks } from './works.ts'

/**
 * The history of translation changes, oldest first, as edits on top of the records of works.ts. Each starts from what
 * the one before it left, and throws here when the phrase it changes is not there.
 */
export function sampleEdits(): SampleEdit[] {
  const records = new Map([...sampleWorks(), ...sampleCharacters()].map(({ key, translations }) => [key, translations]))
  const current = new Map<string, string>()
  return CHANGES.toSorted((a, b) => b[5] - a[5]).map(([key, where, from, to, username, daysBefore, rolledBack]) => {
    const [language = '', field = ''] = where.split('.')
    const texts: Record<string, string> | undefined = records.get(key)?.[language]
    const cell = `${key} ${where}`
    const oldValue = current.get(cell) ?? texts?.[field]
    if (oldValue === undefined || !oldValue.includes(from)) throw new Error(`${cell} does not hold "${from}"`)
    const newValue = from === '' ? oldValue + to : oldValue.replace(from, () => to)
    current.set(cell, rolledBack ? oldValue : newValue)
    return {
      key,
      entityType: key.startsWith('character:') ? 'Character' : 'Media',
      language,
      field: fieldOf(field),
      oldValue,
      newValue,
      username,
      daysBefore,
      ...(rolledBack && { rolledBack }),
    }
  })
}

function fieldOf(field: string): SampleEdit['field'] {
  if (field === 'title' || field === 'name' || field === 'description') return field
  throw new Error(`${field} is not a text of a record`)
}
