import { vi } from 'vitest'

// Each test file has its own instances of our modules, and so of their state. Only libraries, which have none, are
// shared.
vi.resetModules()

// Several helpers clean up when the process ends, once per test file.
process.setMaxListeners(0)
