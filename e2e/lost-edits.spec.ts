// No edit is lost with two tabs, two users, a crash, a lost connection or a stopped server. The merge screen and drafts
// are tested in media-editor.spec.ts.
import type { Media } from '@mokuroku/contract/media'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { freePort, launchServer, ready } from '../server/test/process.ts'
import { aCharacter, aMedia, aTag, aWord, wrongTitles } from './support/catalogue.ts'
import { storedMedia } from './support/changes.ts'
import { content, save, write, written } from './support/editor.ts'
import { admin, expect, hold, noViolations, test } from './support/fixtures.ts'
import { aPerson, aTier, aUser, become } from './support/people.ts'

test.use({ expectedErrors: [/Failed to load resource|changed since you opened it|Please sign in|HTTP 0/] })

const DAY_MS = 86_400_000

const kept = (page: Page) => page.getByText('Unsaved changes · a draft is kept on this device')
const merge = (page: Page) => page.getByRole('region', { name: 'Someone else changed this' })

async function edit(page: Page, path: string) {
  await page.goto(path)
  await expect(content(page)).toBeVisible({ timeout: 30_000 })
}

/** Replaces one part of the editor's text. */
async function replace(page: Page, before: string, after: string) {
  await expect(content(page)).toContainText(before)
  await write(page, (await written(page)).replace(before, after))
}

const input = ({ mediaType, translations, isOngoing, releaseDate }: Media) => ({
  mediaType,
  translations,
  isOngoing,
  releaseDate,
})

test('two tabs of one user: changes that do not conflict are merged', async ({
  signedIn: page,
  context,
  request,
  token,
}) => {
  const media = await aMedia(request, token, { title: `Both ${aWord()}` })
  const other = await context.newPage()
  for (const tab of [page, other]) await edit(tab, `/media/${media._id}/edit`)
  await write(page, { ...input(media), originalTitle: 'From the first tab' })
  await write(other, { ...input(media), isOngoing: false })
  await save(page).click()
  await expect(page).toHaveURL('/media')
  await save(other).click()
  await expect(other.getByText('Media updated successfully')).toBeVisible()
  await expect(other.getByText('Those changes and yours were merged.')).toBeVisible()
  expect(await storedMedia(request, token, media)).toMatchObject({
    originalTitle: 'From the first tab',
    isOngoing: false,
  })
})

test('two users: whoever saves second sees both texts, and chooses', async ({ browser, baseURL, request, token }) => {
  const media = await aMedia(request, token, { title: `Clash ${aWord()}` })
  const [one, two] = [await person(browser, baseURL), await person(browser, baseURL)]
  await become(one.page, await aPerson(request, token, { role: 'moderator' }))
  await become(two.page, await aPerson(request, token, { role: 'moderator' }))
  for (const { page } of [one, two]) await edit(page, `/media/${media._id}/edit`)
  const titled = (title: string) => ({ ...input(media), translations: { en: { title, description: '' } } })
  await write(one.page, titled('The title of the first'))
  await write(two.page, titled('The title of the second'))
  await save(one.page).click()
  await expect(one.page).toHaveURL('/media')
  await save(two.page).click()
  await expect(merge(two.page)).toContainText('The title of the first')
  await expect(merge(two.page)).toContainText('The title of the second')
  await noViolations(two.page)
  await merge(two.page).getByRole('radio', { name: /^Mine/ }).check()
  await merge(two.page).getByRole('button', { name: 'Save merged' }).click()
  await expect(two.page).toHaveURL('/media')
  expect((await storedMedia(request, token, media)).translations.en?.title).toBe('The title of the second')
  for (const { context } of [one, two]) await context.close()
})

test.describe('a tab that crashes', () => {
  type AnEntity = (...given: Parameters<typeof aMedia>) => Promise<string>
  const catalogue: Record<string, AnEntity> = {
    media: async (request, token) => `/media/${(await aMedia(request, token))._id}/edit`,
    character: async (request, token) => `/characters/${(await aCharacter(request, token))._id}/edit`,
    tag: async (request, token) => `/tags/${(await aTag(request, token))._id}/edit`,
  }
  const people: Record<string, AnEntity> = {
    tier: async (request, token) => `/score-permissions/${(await aTier(request, token))._id}/edit`,
    user: async (request, token) => `/users/${(await aUser(request, token))._id}/edit`,
  }

  for (const [what, editors] of Object.entries({ catalogue, people }))
    test(`leaves its draft: ${what}`, async ({ signedIn: first, context, request, token }) => {
      await first.close()
      for (const [name, anEntity] of Object.entries(editors))
        await test.step(name, async () => {
          const path = await anEntity(request, token)
          const page = await context.newPage()
          await edit(page, path)
          const mine = aWord()
          const [before, after] =
            name === 'user' ? ['"isActive": true', `"isActive": false, "avatar": "${mine}"`] : ['": "', `": "${mine} `]
          await replace(page, before, after)
          await expect(kept(page)).toBeVisible()
          const crashed = page.waitForEvent('crash')
          const session = await context.newCDPSession(page)
          // The command gets no response, because the page has crashed.
          void session.send('Page.crash').catch(() => undefined)
          await crashed
          const again = await context.newPage()
          await edit(again, path)
          await again.getByRole('button', { name: 'Restore draft' }).click()
          await expect(content(again)).toContainText(mine)
          await again.close({ runBeforeUnload: false })
        })
    })
})

test('what was typed while the clock of the device was far behind is kept once it is right', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { tag, media } = await wrongTitles(request, token, 1)
  const editor = `/media/${media[0]?._id}/edit`
  const desk = `/work?finding=copied:zh&tags=${tag}`
  const title = page.getByLabel('Title in Chinese')
  const mine = aWord()
  const now = Date.now()
  await page.clock.setFixedTime(now - 40 * DAY_MS)
  await page.goto(desk)
  await title.fill(mine)
  await edit(page, editor)
  await replace(page, '": "', `": "${mine} `)
  await expect(kept(page)).toBeVisible()
  // Stores the draft once more, before the clock is right.
  await page.goto('/tags')
  await page.clock.setFixedTime(now)
  await edit(page, editor)
  await page.getByRole('button', { name: 'Restore draft' }).click()
  await expect(content(page)).toContainText(mine)
  await page.goto(desk)
  await expect(title).toHaveValue(mine)
})

test('saving offline shows an error and keeps the draft; saving online again succeeds', async ({
  signedIn: page,
  context,
  request,
  token,
}) => {
  const media = await aMedia(request, token)
  await edit(page, `/media/${media._id}/edit`)
  const mine = aWord()
  await write(page, { ...input(media), translations: { en: { title: mine, description: '' } } })
  await context.setOffline(true)
  await save(page).click()
  await expect(page.getByText('Network error. Please check your connection.')).toBeVisible()
  await expect(content(page)).toContainText(mine)
  await expect(kept(page)).toBeVisible()
  await context.setOffline(false)
  // A save that was reported as failed is not sent again automatically.
  expect((await storedMedia(request, token, media)).version).toBe(1)
  await save(page).click()
  await expect(page).toHaveURL('/media')
  expect((await storedMedia(request, token, media)).translations.en?.title).toBe(mine)
})

test('an editor that Back returns to while the list is loading can be saved again', async ({
  signedIn: page,
  request,
  token,
}) => {
  const media = await aMedia(request, token)
  const [first, second] = [aWord(), aWord()]
  await edit(page, `/media/${media._id}/edit`)
  const release = await hold(page, '**/assets/*.js')
  await write(page, { ...input(media), translations: { en: { title: first, description: '' } } })
  await save(page).click()
  await expect(page).toHaveURL('/media')
  await page.goBack()
  release()
  await expect(page).toHaveURL(`/media/${media._id}/edit`)
  await expect(content(page)).toContainText(first)
  await write(page, { ...input(media), translations: { en: { title: second, description: '' } } })
  await save(page).click()
  await expect(page).toHaveURL('/media')
  expect(await storedMedia(request, token, media)).toMatchObject({
    version: 3,
    translations: { en: { title: second } },
  })
})

test('a new entry that Back returns to while the next screen is loading can be changed and saved', async ({
  signedIn: page,
  request,
  token,
}) => {
  const [first, second] = [aWord(), aWord()]
  await edit(page, '/media/new')
  await replace(page, '"title": ""', `"title": "${first}"`)
  const release = await hold(page, '**/assets/*.js')
  await save(page).click()
  await expect(page).not.toHaveURL(/new$/)
  const { pathname } = new URL(page.url())
  await page.goBack()
  release()
  await expect(page).toHaveURL('/media/new')
  await replace(page, first, second)
  await save(page).click()
  await expect(page).toHaveURL(pathname)
  const _id = pathname.split('/').at(-1) ?? ''
  expect(await storedMedia(request, token, { _id })).toMatchObject({
    version: 2,
    translations: { en: { title: second } },
  })
})

test('saving again after the response was lost creates no second entry or comment', async ({
  signedIn: page,
  request,
  token,
}) => {
  /** Carries out the next creation, but loses the response. */
  const loseResponse = (url: string) =>
    page.route(
      url,
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 },
    )
  const countOf = async (url: string, name: string) => {
    const answer = await request.get(url, { headers: { authorization: `Bearer ${token}` } })
    return (await answer.text()).split(`"${name}"`).length - 1
  }
  for (const [area, field] of [
    ['media', 'title'],
    ['characters', 'name'],
    ['tags', 'name'],
  ] as const)
    await test.step(area, async () => {
      const name = aWord()
      await edit(page, `/${area}/new`)
      await replace(page, `"${field}": ""`, `"${field}": "${name}"`)
      await loseResponse(`/api/${area}`)
      await save(page).click()
      await expect(page.getByText('Network error. Please check your connection.').last()).toBeVisible()
      await expect(content(page)).toContainText(name)
      await save(page).click()
      await expect(page).not.toHaveURL(/new$/)
      expect(await countOf(`/api/${area}?search=${name}`, name)).toBe(1)
    })
  await test.step('a comment', async () => {
    const { _id } = await aMedia(request, token)
    const text = aWord()
    await page.goto(`/media/${_id}?comments=open`)
    await page.getByLabel('New comment').fill(text)
    await loseResponse('/api/comments')
    const send = page.getByRole('button', { name: 'Comment', exact: true })
    await send.click()
    await expect(page.getByText('Failed to send the comment')).toBeVisible()
    await send.click()
    await expect(page.getByLabel('New comment')).toHaveValue('')
    expect(await countOf(`/api/comments?entityType=Media&entityId=${_id}`, text)).toBe(1)
  })
})

test('a killed server: the console shows an error, keeps the draft, and recovers after a restart', async ({
  page,
  playwright,
}, testInfo) => {
  const port = await freePort()
  const env = { DATA_DIR: testInfo.outputPath('data'), ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
  const start = async () => {
    const { child, ended } = launchServer(env, port)
    await ready(child, ended, 'is ready on')
    return (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    }
  }
  let end = await start()
  const url = `http://127.0.0.1:${port}`
  const request = await playwright.request.newContext({ baseURL: url })
  const { token } = (await (await request.post('/api/auth/login', { data: admin })).json()) as { token: string }
  const media = await aMedia(request, token)
  await page.addInitScript((own) => localStorage.setItem('authToken', own), token)
  await edit(page, `${url}/media/${media._id}/edit`)
  const mine = aWord()
  await write(page, { ...input(media), translations: { en: { title: mine, description: '' } } })
  await expect(kept(page)).toBeVisible()
  await end('SIGKILL')
  await save(page).click()
  await expect(page.getByText('Network error. Please check your connection.')).toBeVisible()
  await expect(content(page)).toContainText(mine)

  // A list that fails to load offers Retry.
  const list = await page.context().newPage()
  await list.addInitScript((own) => localStorage.setItem('authToken', own), token)
  end = await start()
  await list.goto(`${url}/media`)
  await expect(list.getByRole('row').filter({ hasText: media.translations.en?.title ?? '' })).toBeVisible()
  await end('SIGKILL')
  await list.getByRole('link', { name: 'Characters' }).first().click()
  // The saved views in the sidebar may offer it, too.
  const retry = list.getByRole('main').getByRole('button', { name: 'Retry' }).first()
  await expect(retry).toBeVisible({ timeout: 60_000 })
  end = await start()
  await retry.click()
  await expect(list.getByText('No characters yet')).toBeVisible({ timeout: 30_000 })

  await save(page).click()
  await expect(page).toHaveURL(`${url}/media`)
  expect((await storedMedia(request, token, media)).translations.en?.title).toBe(mine)
  await request.dispose()
  await end('SIGTERM')
})

/** A separate browser context, as another user would have. */
async function person(browser: Browser, baseURL: string | undefined): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) })
  return { context, page: await context.newPage() }
}
