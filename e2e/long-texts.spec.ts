// Long texts in any script do not break the layout of lists and detail screens.
import type { Locator } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { aPerson, aRating } from './support/people.ts'
import { heightOf, leftOf } from './support/reading.ts'

const LONG = `${'An Exceedingly Long Title That Goes On '.repeat(6)}and Ends`
const THAI = 'ปู่ที่น้ำเชี่ยวผู้กู้โลกด้วยขนมปัง'
const JAPANESE = '転生したら骨だった件について語る直美の夏休み日記帳'

test('texts in Arabic and Hebrew run from right to left, beside texts that do not', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const title = `مدينة السماء ${word} (2)!`
  const translations = { ar: { title, description: title } }
  const { _id } = await aMedia(request, token, { translations, originalTitle: `שלום ${word} (2)!` })
  /** Where the first and the last character of the texts begin, in pixels from the left. */
  const ends = (texts: Locator) =>
    texts.evaluateAll((elements) =>
      elements.map((element) => {
        const text = element.firstChild as Text
        return [0, text.length - 1].map((at) => {
          const range = document.createRange()
          range.setStart(text, at)
          range.setEnd(text, at + 1)
          return range.getBoundingClientRect().left
        })
      }),
    )
  for (const [path, count] of [
    [`/media?search=${word}`, 2],
    [`/media/${_id}`, 5],
  ] as const) {
    await page.goto(path)
    const texts = page.getByRole('main').getByText(`${word} (2)!`)
    await expect(texts).toHaveCount(count)
    for (const [first = 0, last = 0] of await ends(texts)) expect(last).toBeLessThan(first)
  }
})

test('names of users, files and views run in their direction, and are cut off at their end', async ({
  signedIn: page,
  request,
  token,
}) => {
  const word = aWord()
  const name = `הטירה הנעה ${word} (2)!`
  const long = `${name} ${'המהדורה המלאה '.repeat(3)}`
  const author = await aPerson(request, token, { username: long.slice(0, 50).trim(), email: `${aWord()}@example.org` })
  const { _id: mediaId } = await aMedia(request, token, { title: word, originalTitle: long })
  await aRating(request, author.token, { mediaId, comment: name })
  const headers = { authorization: `Bearer ${token}` }
  const view = { name: long, entityType: 'Media', filters: { search: word } }
  expect((await request.post('/api/views', { data: view, headers })).status()).toBe(201)
  const file = {
    name: `${name}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`Title (English),Type\r\n${name},Novel`),
  }
  const answer = await request.post('/api/imports', { multipart: { entityType: 'Media', file }, headers })
  expect(answer.status(), await answer.text()).toBe(201)
  const { _id: imported } = (await answer.json()) as { _id: string }

  /** The texts that do not run in the direction of their script, or whose beginning is cut off. */
  const wrong = () =>
    page.evaluate((part) => {
      const found = []
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const parent = text.parentElement
        if (!parent?.checkVisibility() || !text.textContent?.includes(part)) continue
        let at: Element | null = parent
        while (at && getComputedStyle(at).unicodeBidi === 'normal') at = at.parentElement
        if (at && getComputedStyle(at).unicodeBidi !== 'plaintext') found.push(`direction: ${parent.outerHTML}`)
        const cut = parent.closest('[class*="_truncate_"], [class*="_name_"], td')
        if (cut && cut.scrollWidth > cut.clientWidth && getComputedStyle(cut).unicodeBidi !== 'plaintext')
          found.push(`cut off: ${cut.outerHTML}`)
      }
      return found
    }, word)
  for (const [path, shown] of [
    [`/media?search=${word}`, long],
    ['/import', `${name}.csv`],
    [`/import/${imported}`, `${name}.csv`],
    [`/ratings?search=${word}`, author.user.username],
    [`/users?search=${word}`, author.user.username],
    [`/activities?type=RATING_CREATED`, author.user.username],
  ] as const)
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('main').getByText(shown).first()).toBeVisible()
      await expect(page.getByRole('complementary').getByRole('link', { name: long.trim() })).toBeVisible()
      await expect.poll(wrong).toEqual([])
    })
})

test('long titles and names in any script do not break the layout @phone', async ({
  signedIn: page,
  request,
  token,
  isMobile,
}) => {
  const word = aWord()
  const text = (name: string) => ({ name, description: '' })

  await test.step('media', async () => {
    await aMedia(request, token, { title: `${word} ${LONG}`, originalTitle: JAPANESE.repeat(5) })
    await aMedia(request, token, { translations: { th: { title: `${THAI.repeat(4)} ${word}`, description: '' } } })
    await aMedia(request, token, { title: `${word}${'w'.repeat(300)}` })
    await page.goto(`/media?search=${word}`)
    await expect(page.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(3)
    await noSidewaysScroll(page)
    await noViolations(page)
  })

  await test.step('the items of a batch, and the queue of the work desk', async () => {
    const { _id: tag } = await aTag(request, token)
    const title = `${word}${'w'.repeat(300)}`
    const { _id } = await aMedia(request, token, { title, tags: [tag] })
    const data = { ids: [_id], change: { isOngoing: false } }
    const headers = { authorization: `Bearer ${token}` }
    const { batch } = (await (await request.post('/api/media/bulk', { data, headers })).json()) as { batch: string }
    await page.goto(`/batches/${batch}`)
    const cell = page.getByRole('cell').filter({ hasText: title })
    await expect(cell).toBeVisible()
    await expect.poll(() => cell.evaluate((at) => at.scrollWidth - at.clientWidth)).toBe(0)
    await page.goto(`/work?tags=${tag}`)
    const queue = page.getByRole('list', { name: 'Queue' })
    if (isMobile) await page.getByText('Queue', { exact: true }).tap()
    await expect(queue.getByTitle(title)).toBeVisible()
    await expect.poll(heightOf(queue.getByTitle(title))).toBeLessThan(60)
    await expect(page.getByRole('region', { name: 'One entry may be the same' })).toBeVisible()
    await noSidewaysScroll(page)
  })

  await test.step('comments, by people with long names', async () => {
    const { _id } = await aMedia(request, token)
    const name = `${word}${'w'.repeat(30)}`
    const author = await aPerson(request, token, { username: name, email: `${aWord()}@example.org` })
    const data = { entityType: 'Media', entityId: _id, text: `@admin הטירה ${word}!` }
    const headers = { authorization: `Bearer ${author.token}` }
    expect((await request.post('/api/comments', { data, headers })).status()).toBe(201)
    await page.goto(`/media/${_id}?comments=open`)
    const dialog = page.getByRole('dialog', { name: 'Comments' })
    await expect(dialog.getByText(name, { exact: true })).toBeVisible()
    const wide = () =>
      dialog.evaluate(
        (at) => [...at.querySelectorAll('li, div')].filter((e) => e.scrollWidth > e.clientWidth + 1).length,
      )
    await expect.poll(wide).toBe(0)
    // What follows the mention runs from right to left, and so does the comment as a whole: the mention is at its right.
    const comment = dialog.getByText(`הטירה ${word}!`)
    const mention = comment.getByText('@admin', { exact: true })
    await expect.poll(async () => (await leftOf(mention)()) - (await leftOf(comment)())).toBeGreaterThan(20)
  })

  await test.step('tags', async () => {
    const description = LONG.repeat(3)
    await aTag(request, token, { translations: { en: { name: `${word} ${LONG}`, description } } })
    const languages = ['th', 'zh-Hans', 'zh-Hant', 'ja', 'ko', 'vi', 'fr', 'ru', 'es', 'pt-BR', 'de']
    const translations = Object.fromEntries(languages.map((tag) => [tag, text(`${THAI.repeat(3)} ${word}`)]))
    await aTag(request, token, { translations, status: 'DEPRECATED', type: 'CONTENT_WARNING' })
    await aTag(request, token, { name: `${word}${'w'.repeat(300)}` })
    await page.goto(`/tags?search=${word}`)
    await expect(page.getByRole('list', { name: 'Tags' }).getByRole('listitem')).toHaveCount(3)
    await noSidewaysScroll(page)
    await noViolations(page)
  })

  await test.step('activities', async () => {
    const author = await aPerson(request, token, { username: `${word}${'w'.repeat(40)}`, role: 'moderator' })
    await aTag(request, author.token, { name: `${word} by ${author.user.username}` })
    await page.goto('/activities?type=TAG_CREATED')
    await expect(page.getByRole('link').filter({ hasText: word }).first()).toBeVisible()
    await noSidewaysScroll(page)
    await noViolations(page)
  })

  await test.step('the list and the screen of characters', async () => {
    const { _id: tag } = await aTag(request, token, { name: LONG })
    const { _id } = await aCharacter(request, token, {
      translations: {
        en: { name: `${word} ${LONG}`, description: 'First line\n\nSecond line' },
        th: { name: THAI.repeat(4), description: THAI.repeat(20) },
      },
      originalName: JAPANESE.repeat(5),
      tags: [tag],
    })
    await aCharacter(request, token, { name: `${word}${'w'.repeat(300)}` })
    await page.goto(`/characters?search=${word}`)
    const cards = page.getByRole('list', { name: 'Characters' }).getByRole('listitem')
    await expect(cards.filter({ hasText: word })).toHaveCount(2)
    await noSidewaysScroll(page)
    await noViolations(page)

    await page.goto(`/characters/${_id}`)
    const heading = page.getByRole('heading', { level: 1 })
    await expect(heading).toContainText(word)
    await expect(heading).toHaveAttribute('lang', 'en')
    const details = page.getByRole('region', { name: 'Details' })
    await expect.poll(heightOf(details.getByText('First line'))).toBeGreaterThan(60)
    await details.getByRole('tab', { name: 'Thai' }).click()
    await expect(details.getByRole('tabpanel').locator('[lang=th]').first()).toContainText(THAI)
    await expect(page.getByText('This character is not linked to any media.')).toBeVisible()
    await noSidewaysScroll(page)
    await noViolations(page)
  })
})

test('the name of a user leaves room for the title of what they translated', async ({
  signedIn: page,
  request,
  token,
}) => {
  const { _id, ...media } = await aMedia(request, token, { title: LONG })
  const author = await aPerson(request, token, { username: `${aWord()}${'w'.repeat(40)}`, role: 'moderator' })
  const translations = { en: { title: `${LONG} again`, description: '' } }
  const answer = await request.put(`/api/media/${_id}`, {
    data: { mediaType: media.mediaType, isOngoing: true, releaseDate: media.releaseDate, translations },
    headers: { authorization: `Bearer ${author.token}` },
  })
  expect(answer.status(), await answer.text()).toBe(200)
  await page.setViewportSize({ width: 1100, height: 800 })
  await page.goto('/translations')
  const title = page.getByRole('link', { name: `${LONG} again` })
  await expect(title).toBeVisible()
  await expect.poll(async () => (await title.boundingBox())?.width ?? 0).toBeGreaterThan(200)
  await noSidewaysScroll(page)
})

test('a long title in the activities ends after two lines', async ({ signedIn: page, request, token }) => {
  await aMedia(request, token, { title: `${aWord()} ${LONG.repeat(4)}` })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/activities')
  const link = page.getByRole('main').getByRole('link', { name: LONG }).first()
  const isCut = () =>
    link.evaluate((element) => element.clientHeight <= 2 * parseFloat(getComputedStyle(element).lineHeight) + 1)
  await expect(link).toBeVisible()
  await expect.poll(isCut).toBe(true)
})
