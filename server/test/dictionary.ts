// The dictionary from which Japanese titles get their readings; a thread loads it (search/readings.ts).
import { beforeAll } from 'vitest'
import { dictionaryLoaded } from '../src/search/readings.ts'

/** Loads the dictionary before the tests of a file, because writes do not wait for it on a busy machine. */
export const withDictionary = (): void => beforeAll(dictionaryLoaded)
