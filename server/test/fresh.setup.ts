import { vi } from 'vitest'

// Each test file has our modules, and so their state, to itself; only the libraries, which keep none, are loaded once.
vi.resetModules()

// Several helpers clean up when the process ends, once for each test file.
process.setMaxListeners(0)
