import { afterAll } from 'vitest'
import { keepIn } from '#test/app.ts'
import { aBucket } from '#test/bucket.ts'

// Runs the same tests with the assets in a bucket.
const { bucket, stop } = await aBucket()
keepIn(bucket)
afterAll(stop)
await import('./uploadSessions.test.ts')
