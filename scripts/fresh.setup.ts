import { afterAll, vi } from 'vitest'

// Each test file has its own instances of our modules, and so of their state. Only libraries, which have none, are
// shared.
vi.resetModules()
// Vitest restores spies between files itself.
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

// Several helpers clean up when the process ends, once per test file.
process.setMaxListeners(0)
