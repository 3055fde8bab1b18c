import { sampleChanges, sampleCharacters, sampleWorks } from './data.ts'

/** A change of the sample, with the whole text before and after it. */
export type SampleEdit = Omit<ReturnType<typeof sampleChanges>[number], 'from' | 'to'> & {
  entityType: 'Media' | 'Character'
  oldValue: string
  newValue: string
}

/**
 * The changes of translations, oldest first, as edits of the sample's works and characters. Throws if a text does not
 * contain the phrase to be changed.
 */
export function sampleEdits(): SampleEdit[] {
  const records = new Map([...sampleWorks(), ...sampleCharacters()].map(({ key, translations }) => [key, translations]))
  const current = new Map<string, string>()
  return sampleChanges().map(({ from, to, ...change }) => {
    const { key, language, field, rolledBack } = change
    const texts: Record<string, string> | undefined = records.get(key)?.[language]
    const cell = `${key} ${language}.${field}`
    const oldValue = current.get(cell) ?? texts?.[field]
    if (oldValue === undefined || !oldValue.includes(from)) throw new Error(`${cell} does not hold "${from}"`)
    const newValue = from === '' ? oldValue + to : oldValue.replace(from, () => to)
    current.set(cell, rolledBack ? oldValue : newValue)
    return { ...change, entityType: key.startsWith('character:') ? 'Character' : 'Media', oldValue, newValue }
  })
}
