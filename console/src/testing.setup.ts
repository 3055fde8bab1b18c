import { configure } from '@testing-library/react'

// A screen's chunk is compiled when it is first asked for, which on a busy machine takes much longer than the usual second.
configure({ asyncUtilTimeout: 30_000 })
