import { configure } from '@testing-library/react'

// The same for every file, since files share the library, in any order.
configure({
  // A screen's chunk is compiled on its first request, which on a busy machine takes longer than the default second.
  asyncUtilTimeout: 30_000,
  // Visibility is for e2e to test: computing it here would take most of the time.
  defaultHidden: true,
})
