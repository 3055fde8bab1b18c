// Tests for cross-site scripting (XSS): text from users and external sources is displayed literally on every screen and
// never becomes markup. The console needs no inline scripts, no other origins, and no text that is executed as code.
import type { Asset } from '@mokuroku/contract/assets'
import type { APIRequestContext, APIResponse, Locator, Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { changeMedia } from './support/changes.ts'
import { aPixel } from './support/files.ts'
import { expect, signIn } from './support/fixtures.ts'
import { latestEmailTo, test } from './support/ownServer.ts'
import { aPerson, aRating, aTier } from './support/people.ts'

test.describe.configure({ timeout: 180_000 })

/** Sets `planted` if it is interpreted as markup; short enough for every name field. */
const HOSTILE = '<img src=x onerror=planted=1>'
const WORSE = `${HOSTILE}"'><script>planted=1</script><a href="javascript:planted=1">{{planted=1}}</a><svg onload=planted=1>`

/** Expects that no hostile text has become markup, and that this part of the page displays it. */
async function isText(page: Page, part?: Locator): Promise<void> {
  if (part) await expect(part.getByText('<img src=x', { exact: false }).first()).toBeAttached({ timeout: 30_000 })
  const found = () =>
    page.evaluate(() => ({
      planted: 'planted' in window,
      elements: document.querySelectorAll('img[src="x"], [onerror], [onload], a[href^="javascript:" i]').length,
      scripts: [...document.scripts].filter(({ src, type }) => !src && type !== 'application/json').length,
    }))
  await expect.poll(found).toEqual({ planted: false, elements: 0, scripts: 0 })
}

/** Creates entities of all kinds with hostile names and texts. */
async function plant(request: APIRequestContext, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const title = (word: string) => ({ en: { title: `${word} ${WORSE}`, description: WORSE } })
  const name = { en: { name: `Name ${WORSE}`, description: WORSE } }
  const tag = await aTag(request, token, { translations: name, icon: HOSTILE })
  const character = await aCharacter(request, token, {
    translations: name,
    originalName: WORSE,
    tags: [tag._id],
  })
  const media = await aMedia(request, token, {
    translations: title('One'),
    originalTitle: WORSE,
  })
  const changed = await changeMedia(request, token, media, {
    translations: title('Two'),
    tags: [tag._id],
    characters: [character._id],
  })
  const tier = await aTier(request, token, {
    name: `Tier ${HOSTILE}`,
    description: WORSE,
    permissions: { customPermissions: { [HOSTILE]: true } },
  })
  const person = await aPerson(request, token, {
    username: `${HOSTILE}${aWord().slice(1, 8)}`,
    email: `${aWord()}@example.org`,
  })
  const rating = await aRating(request, person.token, { mediaId: media._id, score: 7, comment: 'A comment' })
  await request.put(`/api/ratings/${rating._id}`, { data: { score: 7, comment: WORSE }, headers })
  const uploaded = await request.post('/api/assets/image', {
    multipart: { image: { name: `${HOSTILE}.png`, mimeType: 'image/png', buffer: aPixel() } },
    headers,
  })
  expect(uploaded.status(), await uploaded.text()).toBeLessThan(300)
  const asset = (await uploaded.json()) as Asset
  const gone = await aMedia(request, token, { translations: title('Gone') })
  await request.delete(`/api/media/${gone._id}`, { headers })
  // A successful and a failed sign-in with a hostile User-Agent.
  const data = { email: person.user.email, password: 'a good password' }
  await request.post('/api/auth/login', { data, headers: { 'user-agent': HOSTILE } })
  await request.post('/api/auth/login', { data: { ...data, password: WORSE }, headers: { 'user-agent': HOSTILE } })
  const history = await request.get('/api/translation-history/recent?limit=1', { headers })
  const { data: entries } = (await history.json()) as { data: { _id: string }[] }
  expect(entries).toHaveLength(1)
  for (const { _id } of entries) {
    const back = await request.post(`/api/translation-history/rollback/${_id}`, { data: { reason: WORSE }, headers })
    expect(back.status(), await back.text()).toBe(200)
  }
  const ok = async (answer: APIResponse) => {
    expect(answer.status(), await answer.text()).toBeLessThan(300)
    return (await answer.json()) as { _id: string; batch: string }
  }
  // The person comments on an entry of the admin, who is notified of it.
  const commented = { entityType: 'Media', entityId: media._id, text: WORSE }
  const as = { authorization: `Bearer ${person.token}` }
  await ok(await request.post('/api/comments', { data: commented, headers: as }))
  await ok(await request.post('/api/views', { data: { name: HOSTILE, entityType: 'Media', shared: true }, headers }))
  const change = { ids: [media._id], change: { isOngoing: false } }
  const { batch } = await ok(await request.post('/api/media/bulk', { data: change, headers }))
  const csv = `_id,Title (English),${HOSTILE}\r\n${media._id},"${WORSE.replaceAll('"', '""')}",${HOSTILE}`
  const file = { name: `${HOSTILE}.csv`, mimeType: 'text/csv', buffer: Buffer.from(csv) }
  const imported = await ok(await request.post('/api/imports', { multipart: { entityType: 'Media', file }, headers }))
  const settings = await request.put('/api/settings', { data: { general: { siteName: `Site ${HOSTILE}` } }, headers })
  expect(settings.status(), await settings.text()).toBe(200)
  return { media: changed, character, tag, tier, person, rating, asset, batch, imported }
}

test('class 13: hostile text stays text on every screen, and no other origin is requested', async ({
  signedIn: page,
  baseURL,
  request,
  token,
  folder,
}) => {
  const { media, character, tag, tier, person, rating, asset, batch, imported } = await plant(request, token)
  const asked = new Set<string>()
  page.on('request', (sent) => asked.add(new URL(sent.url()).origin))
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => expect(dialog.message()).toBe('no dialog at all')))
  const screens = [
    '/',
    '/media',
    `/media?search=${encodeURIComponent(HOSTILE)}`,
    `/media/${media._id}`,
    `/media/${media._id}?tab=history`,
    `/media/${media._id}?comments=open`,
    `/media/${media._id}/edit`,
    '/characters',
    `/characters/${character._id}`,
    `/characters/${character._id}/edit`,
    '/tags',
    `/tags/${tag._id}/edit`,
    `/tags/${tag._id}/history`,
    '/assets',
    `/assets/${asset._id}`,
    '/ratings',
    `/ratings/${rating._id}`,
    '/score-permissions',
    `/score-permissions/${tier._id}/edit`,
    '/users',
    `/users/${person.user._id}/edit`,
    '/translations',
    '/activities',
    `/work?kind=Media&search=${encodeURIComponent(HOSTILE)}`,
    `/work?kind=Media&view=matrix&search=${encodeURIComponent(HOSTILE)}`,
    `/batches/${batch}`,
    `/import/${imported._id}`,
    '/trash',
    '/audit',
  ]
  for (const screen of screens)
    await test.step(screen, async () => {
      await page.goto(screen)
      await isText(page, page.getByRole('main'))
    })
  // These show no texts of users, outside of fields, but the name of the shared view in the sidebar.
  for (const screen of [
    '/media/compare',
    '/media/standardize',
    '/batches',
    '/import',
    '/profile',
    '/settings',
    '/settings/history',
  ])
    await test.step(screen, async () => {
      await page.goto(screen)
      await isText(page, page.getByRole('navigation'))
    })
  // Toasts and dialogs display it as text.
  await page.goto('/tags')
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click()
  await isText(page, page.getByRole('dialog'))
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).first().click()
  // The command palette displays its search results.
  await page.goto('/media')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('<img src=x')
  await isText(page, page.getByRole('dialog'))
  expect([...asked]).toEqual([new URL(baseURL ?? '').origin])

  const email = person.user.email ?? ''
  await request.post('/api/auth/forgot-password', { data: { email } })
  const message = await latestEmailTo(email, folder)
  const [, markup = ''] = message.split(/^Content-Type: text\/html/im)
  expect(markup).toContain('&lt;img src')
  expect(markup).not.toContain('<img')
})

test.describe('code that would turn text into markup or script', () => {
  test.use({ expectedErrors: [/Trusted|Content Security Policy/] })

  test('class 13: is blocked by the browser', async ({ signedIn: page }) => {
    await page.goto('/media')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const refused = await page.evaluate(() => {
      const attempts: Record<string, () => unknown> = {
        innerHTML: () => (document.createElement('div').innerHTML = '<img src=x onerror=planted=1>'),
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>planted</b>'),
        srcdoc: () => (document.createElement('iframe').srcdoc = '<script>planted=1</script>'),
        script: () => (document.createElement('script').src = 'https://planted.invalid/x.js'),
        text: () => (document.createElement('script').text = 'planted=1'),
        parse: () => new DOMParser().parseFromString('<b>planted</b>', 'text/html'),
      }
      return Object.entries(attempts).flatMap(([name, attempt]) => {
        try {
          attempt()
          return []
        } catch {
          return [name]
        }
      })
    })
    expect(refused).toEqual(['innerHTML', 'insertAdjacentHTML', 'srcdoc', 'script', 'text', 'parse'])
    const foreign = await page.evaluate(async () => {
      const image = new Image()
      const loaded = new Promise((done) => {
        image.addEventListener('load', () => done('loaded'))
        image.addEventListener('error', () => done('refused'))
      })
      image.src = 'https://planted.invalid/x.png'
      const fetched = await fetch('https://planted.invalid/').then(
        () => 'loaded',
        () => 'refused',
      )
      return [await loaded, fetched]
    })
    expect(foreign).toEqual(['refused', 'refused'])
  })
})

test('class 10: signing in never redirects to another origin', async ({ page, baseURL }) => {
  const own = new URL(baseURL ?? '').origin
  for (const path of [
    '//planted.invalid/x',
    '/\\planted.invalid/x',
    'https://planted.invalid/x',
    'javascript:planted=1',
  ]) {
    await page.goto('/login')
    await page.evaluate((to) => {
      localStorage.clear()
      sessionStorage.setItem('returnTo', to)
    }, path)
    await signIn(page)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dashboard')
    await expect(page).toHaveURL((url) => url.origin === own)
    // Leave the dashboard for a page without calls: without the session, its pending calls would be refused.
    await page.goto('/healthz')
    await page.evaluate(() => localStorage.clear())
  }
})
