import { afterAll } from 'vitest'
import { endLaunched } from './process.ts'

// Runs after the hooks of the file, even if one of its tests has failed.
afterAll(endLaunched)
