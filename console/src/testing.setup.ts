import { configure } from '@testing-library/react'

// A screen's chunk is compiled on its first request, which on a busy machine takes longer than the default second.
configure({ asyncUtilTimeout: 30_000 })
