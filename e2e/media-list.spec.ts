import type { Page } from '@playwright/test'
import { aMedia, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { attributeOf, textOf } from './support/reading.ts'

const LONG = `${'An Exceedingly Long Title That Goes On '.repeat(6)}and Ends`
const THAI = 'ปู่ที่น้ำเชี่ยวผู้กู้โลกด้วยขนมปัง'
const JAPANESE = '転生したら骨だった件について語る直美の夏休み日記帳'

const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search media' })
const rows = (page: Page) =>
  page
    .getByRole('table', { name: 'Media List' })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const ready = async (page: Page, address = '/media') => {
  await page.goto(address)
  await expect(rows(page).first()).toBeVisible({ timeout: 15_000 })
}

// The contrast of a whole table takes a while on a busy machine.
test.describe.configure({ timeout: 60_000 })

test('says what it is, and leads to the AI screens and a new media', async ({ signedIn: page }) => {
  await ready(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Media List')
  await expect(page.getByText('Manage anime, manga and novels', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'AI Compare' })).toHaveAttribute('href', '/media/compare')
  await expect(page.getByRole('link', { name: 'AI Standardize' })).toHaveAttribute('href', '/media/standardize')
  await expect(page.getByRole('link', { name: 'Add New Media' })).toHaveAttribute('href', '/media/new')
  await expect(page.getByRole('columnheader')).toHaveText([
    'Title',
    'Type',
    'Release Date',
    'Status',
    'Rating',
    'Actions',
  ])
})

test('shows ten rows on the first screen, 56 pixels each', async ({ signedIn: page }) => {
  await ready(page)
  await expect(rows(page)).toHaveCount(10)
  await expect(async () => {
    const tenth = await rows(page).nth(9).boundingBox()
    expect((tenth?.y ?? 1000) + (tenth?.height ?? 0)).toBeLessThanOrEqual(900)
    expect(Math.round(tenth?.height ?? 0)).toBeGreaterThanOrEqual(56)
    expect(Math.round(tenth?.height ?? 0)).toBeLessThanOrEqual(57)
  }).toPass({ timeout: 15_000 })
})

test('a row tells title, original title, languages, type, date, status and rating', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const translations = {
    ja: { title: JAPANESE, description: '' },
    en: { title: `Bones ${word}`, description: '' },
    th: { title: '', description: '' },
  }
  await aMedia(request, token, { mediaType: 'MANGA', isOngoing: false, originalTitle: JAPANESE, translations })
  await aMedia(request, token, { originalTitle: `Nameless ${word}`, translations: {}, mediaType: 'NOVEL' })
  await ready(page, `/media?search=${word}`)

  const translated = rows(page).filter({ hasText: 'Bones' })
  await expect(translated.getByRole('link', { name: `Bones ${word}`, exact: true })).toHaveAttribute('lang', 'en')
  await expect(translated.getByText(JAPANESE)).toHaveAttribute('lang', 'ja')
  await expect(translated).toContainText('ja · en')
  await expect(translated).not.toContainText('th')
  await expect(translated).toContainText('No img')
  await expect(translated).toContainText('2026-01-05')
  await expect(translated).toContainText('No ratings')
  await expect(translated.getByText('Manga', { exact: true })).toBeVisible()
  await expect(translated.getByText('Completed', { exact: true })).toHaveAttribute('data-tone', 'success')

  const bare = rows(page).filter({ hasText: 'Nameless' })
  await expect(bare).toContainText('No translations')
  await expect(bare.getByText('Novel', { exact: true })).toBeVisible()
  await expect(bare.getByText('Ongoing', { exact: true })).toHaveAttribute('data-tone', 'warning')
})

test('a rated media shows its average to one decimal', async ({ signedIn: page }) => {
  test.setTimeout(90_000)
  await expect(async () => {
    await page.goto('/media?sort=-averageRating')
    await expect(rows(page).first().getByRole('cell').nth(4)).toHaveText(/^\d+\.\d$/, { timeout: 2000 })
  }).toPass({ timeout: 80_000 })
})

test('filters apply with Filter, live in the address, and go with Reset', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  await aMedia(request, token, { title: `${word} one`, mediaType: 'MANGA', isOngoing: false })
  await aMedia(request, token, { title: `${word} two`, mediaType: 'MANGA', isOngoing: true })
  await aMedia(request, token, { title: `${word} three`, mediaType: 'ANIME', isOngoing: true })
  await ready(page, `/media?search=${word}`)
  await expect(rows(page)).toHaveCount(3)

  const type = page.getByRole('combobox', { name: 'Type' })
  const status = page.getByRole('combobox', { name: 'Status' })
  await expect(type.getByRole('option')).toHaveText(['All Types', 'Anime', 'Manga', 'Novel'])
  await expect(status.getByRole('option')).toHaveText(['All Status', 'Ongoing', 'Completed'])
  await type.selectOption('Manga')
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(page).toHaveURL(`/media?search=${word}&type=MANGA`)
  await status.selectOption('Completed')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(page).toHaveURL(`/media?isOngoing=false&search=${word}&type=MANGA`)

  await page.goBack()
  await expect(rows(page)).toHaveCount(2)
  await expect(status).toHaveValue('')
  await page.goForward()
  await expect(status).toHaveValue('false')
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await expect(type).toHaveValue('MANGA')

  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/media')
  await expect(searchBox(page)).toHaveValue('')
  await expect(type).toHaveValue('')
  await expect(status).toHaveValue('')
  await expect(rows(page)).toHaveCount(10)
})

test('heads sort by release date and rating', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aMedia(request, token, { title: `${word} late`, releaseDate: '2020-01-01T00:00:00.000Z' })
  await aMedia(request, token, { title: `${word} early`, releaseDate: '1990-01-01T00:00:00.000Z' })
  await aMedia(request, token, { title: `${word} middle`, releaseDate: '2000-01-01T00:00:00.000Z' })
  await ready(page, `/media?search=${word}`)
  const titles = rows(page).locator('td:first-child a')
  const order = (...names: string[]) => expect(titles).toHaveText(names.map((name) => `${word} ${name}`))
  const head = page.getByRole('columnheader', { name: 'Release Date' })
  await expect(head).toHaveAttribute('aria-sort', 'none')
  await order('late', 'early', 'middle')
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  await order('late', 'middle', 'early')
  await head.getByRole('button').click()
  await expect(head).toHaveAttribute('aria-sort', 'ascending')
  await order('early', 'middle', 'late')
  await expect(page).toHaveURL(/sort=releaseDate/)
  await head.getByRole('button').click()
  await expect(page).toHaveURL(`/media?search=${word}`)
  await order('late', 'early', 'middle')
})

test('a search is listed by match unless an order is chosen, and Reset by date', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  await aMedia(request, token, { title: word })
  await aMedia(request, token, { title: `After ${word}` })
  await aMedia(request, token, { title: `${word} again` })
  const asked: string[] = []
  page.on('request', (each) => {
    const { pathname, search } = new URL(each.url())
    if (pathname === '/api/media' && search.includes('search=')) asked.push(search)
  })
  await ready(page, '/media')
  const sort = page.getByRole('combobox', { name: 'Sort' })
  const order = (...expected: string[]) => expect(rows(page).locator('td:first-child a')).toHaveText(expected)
  await expect(sort.locator('option:checked')).toHaveText('Newest first')
  await ready(page, `/media?search=${word}`)
  await order(word, `${word} again`, `After ${word}`)
  await expect(sort.locator('option:checked')).toHaveText('Best match first')
  expect(asked.filter((query) => query.includes('sort='))).toEqual([])

  await sort.selectOption('Newest first')
  await order(`${word} again`, `After ${word}`, word)
  await expect(page).toHaveURL(`/media?search=${word}&sort=-createdAt`)
  await page.reload()
  await order(`${word} again`, `After ${word}`, word)

  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(page).toHaveURL('/media')
  await expect(sort.locator('option:checked')).toHaveText('Newest first')
})

test('pages with Previous and Next, and stops where fewer rows come', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  for (let number = 0; number < 12; number++) await aMedia(request, token, { title: `${word} ${number}` })
  await ready(page, `/media?search=${word}`)
  const [previous, next] = [page.getByRole('button', { name: 'Previous' }), page.getByRole('button', { name: 'Next' })]
  await expect(page.getByText('Page 1', { exact: true })).toBeVisible()
  await expect(previous).toBeDisabled()
  await next.click()
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(`/media?page=2&search=${word}`)
  await expect(rows(page)).toHaveCount(2)
  await expect(next).toBeDisabled()
  await previous.click()
  await expect(rows(page)).toHaveCount(10)

  await page.goto(`/media?page=9&search=${word}`)
  await expect(page.getByText('No media found')).toBeVisible()
  await page.getByRole('button', { name: 'Go to the first page' }).click()
  await expect(rows(page)).toHaveCount(10)
})

test('an address that makes no sense counts as not given', async ({ signedIn: page }) => {
  await ready(page, '/media?page=-3&type=FILM&isOngoing=perhaps&sort=colour')
  await expect(page.getByText('Page 1', { exact: true })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Type' })).toHaveValue('')
})

test('suggestions come after a rest, trimmed, at most ten, and say which language matched @phone', async ({
  signedIn: page,
  isMobile,
  request,
  token,
}) => {
  const word = aWord()
  for (let number = 0; number < 11; number++) await aMedia(request, token, { title: `${word} ${number}` })
  const secret = aWord()
  await aMedia(request, token, {
    translations: {
      en: { title: `Shown ${word}x`, description: '' },
      fr: { title: `Trouvé ${secret}`, description: '' },
    },
  })
  await ready(page)
  const asked: string[] = []
  page.on('request', (sent) => {
    const { pathname, searchParams } = new URL(sent.url())
    if (pathname === '/api/search')
      asked.push(`${searchParams.get('q')} ${searchParams.get('limit')} ${searchParams.get('indexName')}`)
  })
  await searchBox(page).click()
  await page.keyboard.type(` ${word} `, { delay: 20 })
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options).toHaveCount(10)
  expect(asked).toEqual([`${word} 10 media`])

  await searchBox(page).fill(secret)
  await expect(options).toHaveCount(1)
  await expect(options).toContainText(`Shown ${word}x`)
  await expect(options).toContainText('found in French')
  await expect(options.getByText(`Trouvé ${secret}`)).toHaveAttribute('lang', 'fr')
  await expect(options.getByText(`Shown ${word}x`)).toHaveAttribute('lang', 'en')
  await noSidewaysScroll(page)
  await noViolations(page)

  await searchBox(page).fill('zzzqqqxxxjjjwww')
  await expect(page.getByText('No results for “zzzqqqxxxjjjwww”')).toBeVisible()
  await searchBox(page).fill(secret)
  const choice = options.first()
  if (isMobile) await choice.tap()
  else await choice.click()
  await expect(page).toHaveURL(/\/media\/[\w-]{36}$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Shown ${word}x`)
})

test('the search box works with the keyboard alone', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  for (const name of ['a', 'b', 'c']) await aMedia(request, token, { title: `${word} ${name}` })
  await ready(page)
  await page.keyboard.press('/')
  await expect(searchBox(page)).toBeFocused()
  await page.keyboard.type(word)
  const options = page.getByRole('listbox').getByRole('option')
  await expect(options).toHaveCount(3)
  await expect(searchBox(page)).toHaveAttribute('aria-expanded', 'true')
  const active = page.getByRole('listbox').getByRole('option', { selected: true })
  await page.keyboard.press('ArrowDown')
  await expect(active).toHaveId(await attributeOf(searchBox(page), 'aria-activedescendant'))
  const first = await textOf(active)
  await page.keyboard.press('End')
  await expect(active).not.toHaveText(first, { useInnerText: true })
  await page.keyboard.press('Home')
  await expect(active).toHaveText(first, { useInnerText: true })
  await page.keyboard.press('ArrowUp')
  await expect(active).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await expect(searchBox(page)).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/media?search=${word}`)
  await expect(rows(page)).toHaveCount(3)
  await expect(searchBox(page)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const chosen = (await textOf(active)).split('\n').at(-1) ?? ''
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(chosen)

  await page.goBack()
  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByRole('link', { name: chosen, exact: true })).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/media\/[\w-]{36}$/)
})

test('an empty box offers the ten newest of the own media', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  for (let each = 0; each < 10; each++) await aMedia(request, token)
  await aMedia(request, token, { title: `${word} newest` })
  await ready(page)
  const asked = page.waitForRequest(/\/api\/media\?.*userId=/)
  await searchBox(page).focus()
  expect(new URL((await asked).url()).searchParams.get('limit')).toBe('50')
  const options = page.getByRole('listbox', { name: 'Your recent media' }).getByRole('option')
  await expect(options).toHaveCount(10)
  await expect(options.filter({ hasText: `${word} newest` })).toBeVisible()
  await noViolations(page)
})

test.describe('faults', () => {
  test.use({ expectedErrors: [/./] })

  test('a search that fails says so, and so do the recent items', async ({ signedIn: page }) => {
    await page.route(/\/api\/media\?.*userId=/, (route) => route.fulfill({ status: 500, json: {} }))
    await page.route('/api/search?*', (route) => route.abort())
    await ready(page)
    await searchBox(page).focus()
    await expect(page.getByText('Failed to load your recent media')).toBeVisible()
    await searchBox(page).fill('genji')
    await expect(page.getByText('Failed to perform search')).toBeVisible()
    await noViolations(page)
  })

  test('an index that is being built is shown, and asked again', async ({ signedIn: page, request, token }) => {
    const { translations } = await aMedia(request, token)
    const title = translations.en?.title ?? ''
    await ready(page)
    await page.route('/api/search?*', (route) => route.fulfill({ json: { status: 'indexing', hits: [] } }))
    await searchBox(page).fill(title)
    await expect(page.getByText('Search index is being built. Please try again in a moment.')).toBeVisible()
    await page.unroute('/api/search?*')
    await expect(page.getByRole('option', { name: title })).toBeVisible()
  })

  test('a list that fails offers Retry', async ({ signedIn: page }) => {
    await page.route('/api/media?*', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto('/media')
    await expect(page.getByText('Server error. Please try again later.')).toBeVisible()
    await expect(page.getByText('Failed to load media')).toBeVisible()
    await noViolations(page)
    await page.unroute('/api/media?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(rows(page).first()).toBeVisible()
  })
})

test('Esc leaves the search box for the rows', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  for (const name of ['one', 'two']) await aMedia(request, token, { title: `${word} ${name}` })
  await ready(page)
  await page.keyboard.press('/')
  await expect(searchBox(page)).toBeFocused()
  await page.keyboard.type(word)
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(0)
  await expect(searchBox(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(rows(page).first().getByRole('link').first()).toBeFocused()
  await page.keyboard.press('j')
  await expect(rows(page).last().getByRole('link').first()).toBeFocused()
  await expect(searchBox(page)).toHaveValue(word)
})

test('delete asks first, and Undo brings the media back', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aMedia(request, token, { title: `${word} stays` })
  await aMedia(request, token, { title: `${word} goes` })
  await ready(page, `/media?search=${word}`)
  await page.getByRole('button', { name: `Delete ${word} goes` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are you sure you want to delete this media?')
  await expect(dialog).toContainText(`${word} goes`)
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await noViolations(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Delete ${word} goes` })).toBeFocused()
  await expect(rows(page)).toHaveCount(2)

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Media deleted')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Media restored')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
})

test('nothing found says what to do next', async ({ signedIn: page }) => {
  await page.goto('/media?search=zzzqqqxxxjjjwww')
  await expect(page.getByText('No media found', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await noViolations(page)
  await page.getByRole('main').getByRole('button', { name: 'Reset' }).last().click()
  await expect(rows(page).first()).toBeVisible()
})

test('who may not write sees why', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aMedia(request, token, { title: word })
  await page.route('/api/auth/verify', async (route) => {
    const answer = await route.fetch()
    const { user } = (await answer.json()) as { user: { permissions: Record<string, unknown> } }
    const permissions = Object.fromEntries(Object.keys(user.permissions).map((flag) => [flag, false]))
    await route.fulfill({ json: { success: true, user: { ...user, role: 'user', tier: 'Reader', permissions } } })
  })
  await ready(page, `/media?search=${word}`)
  const add = page.getByRole('button', { name: 'Add New Media' })
  await expect(add).toHaveAttribute('aria-disabled', 'true')
  await add.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your tier “Reader” does not allow adding media.')).toBeVisible()
  const remove = page.getByRole('button', { name: `Delete ${word}` })
  await expect(remove).toHaveAttribute('title', 'Your tier “Reader” does not allow editing your own content.')
  await expect(page.getByRole('button', { name: `Edit ${word}` })).toHaveAttribute('aria-disabled', 'true')
  await remove.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await noViolations(page)
})

test('long titles in any script keep the layout @phone', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  await aMedia(request, token, { title: `${word} ${LONG}`, originalTitle: JAPANESE.repeat(5) })
  await aMedia(request, token, { translations: { th: { title: `${THAI.repeat(4)} ${word}`, description: '' } } })
  await aMedia(request, token, { title: `${word}${'w'.repeat(300)}` })
  await ready(page, `/media?search=${word}`)
  await expect(rows(page)).toHaveCount(3)
  await noSidewaysScroll(page)
  await noViolations(page)
})

test('speaks Chinese', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const translations = {
    en: { title: `English ${word}`, description: '' },
    'zh-Hans': { title: `中文 ${word}`, description: '' },
  }
  await aMedia(request, token, { translations })
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  await page.goto(`/media?search=${word}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('作品列表')
  await expect(page.getByRole('link', { name: `中文 ${word}`, exact: true })).toHaveAttribute('lang', 'zh-Hans')
  await expect(page.getByText('2026-01-05')).toBeVisible()
  await noViolations(page)
})

for (const width of [1000, 900, 800])
  test(`titles have room in a window of ${width} pixels`, async ({ signedIn: page }) => {
    await page.setViewportSize({ width, height: 700 })
    await ready(page)
    const title = rows(page).first().getByRole('cell').first()
    await expect.poll(async () => (await title.boundingBox())?.width ?? 0).toBeGreaterThan(180)
    await noSidewaysScroll(page)
  })
