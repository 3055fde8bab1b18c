// Where the focus goes when the focused element is removed, and what the next key would then press.
import { expect } from './support/fixtures.ts'
import { test } from './support/ownServer.ts'

test.use({ expectedErrors: [/503/] })

test('after a job has left the queue, the focus is on the list and not on another job', async ({ signedIn: page }) => {
  const waiting = { kind: 'batch', state: 'queued', done: 0, total: 0, attempts: 0, error: null, isRepeated: false }
  const dates = { dueAt: '2100-01-01T00:00:00.000Z', finishedAt: null }
  const job = (at: number) => ({ _id: `job${at}`, ...waiting, ...dates, canRetry: true, canCancel: true })
  let jobs = [job(1), job(2), job(3)]
  await page.route('**/api/jobs?*', (route) =>
    route.fulfill({ json: { data: jobs, pagination: { total: jobs.length, page: 1, limit: 20 } } }),
  )
  await page.goto('/settings?section=jobs')
  const start = page.getByRole('button', { name: /^Start/ })
  await expect(start).toHaveCount(3)
  await start.nth(1).focus()
  jobs = [job(1), job(3)]
  await expect(start).toHaveCount(2)
  await expect(page.getByRole('list', { name: 'Background jobs' })).toBeFocused()
  await start.nth(1).focus()
  jobs = [job(1), { ...job(3), canRetry: false }]
  await expect(start).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Background jobs' })).toBeFocused()
})

test('after Retry, the focus is on the screen and not on a button that the next Enter would press', async ({
  signedIn: page,
}) => {
  for (const [screen, calls] of [
    ['/media?page=2', '**/api/media?*'],
    ['/users', '**/api/users?*'],
    ['/assets', '**/api/assets?*'],
  ] as const) {
    let isBroken = true
    await page.route(calls, (route) => (isBroken ? route.fulfill({ status: 503, json: {} }) : route.continue()))
    await page.goto(screen)
    const retry = page.getByRole('main').getByRole('button', { name: 'Retry' })
    await retry.focus()
    isBroken = false
    await retry.press('Enter')
    await expect(retry).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  }
})
