import type { APIRequestContext, Page, Route } from '@playwright/test'
import { aMedia, aWord, uploaded } from './support/catalogue.ts'
import { aPixel } from './support/files.ts'
import { expect, noSidewaysScroll, noViolations, test } from './support/fixtures.ts'
import { heading } from './support/locators.ts'
import { attributeOf } from './support/reading.ts'

/** A WAV file with silence, by default one second. */
function aSound(seconds = 1): Buffer {
  const head = Buffer.from(
    '524946460000000057415645666d74201000000001000100401f0000401f0000010008006461746100000000',
    'hex',
  )
  const length = 8000 * seconds
  head.writeUInt32LE(length + 36, 4)
  head.writeUInt32LE(length, 40)
  return Buffer.concat([head, Buffer.alloc(length, 128)])
}

const png = (name: string) => ({ name, mimeType: 'image/png', buffer: aPixel() })
const wav = (name: string) => ({ name, mimeType: 'audio/wav', buffer: aSound() })

/**
 * Creates an asset through the API, as the admin. Tests that make an asset private or delete it use a sound, because a
 * picture could be listed by another test at the same time, which would then fail to load it.
 */
const anAsset = (request: APIRequestContext, token: string, file = png(`${aWord()}.png`)) =>
  uploaded(request, token, file)

/** Drops files on the drop zone, like a user; `bytes` are base64. */
async function drop(page: Page, dropped: { name: string; bytes: string }[]) {
  const dataTransfer = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer()
    for (const { name, bytes } of all) {
      const content = Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))
      transfer.items.add(new File([content], name, { type: 'image/png' }))
    }
    return transfer
  }, dropped)
  const zone = page.getByText('Drop files here, or choose them')
  for (const event of ['dragenter', 'dragover', 'drop']) await zone.dispatchEvent(event, { dataTransfer })
}

const cards = (page: Page) => page.getByRole('list', { name: 'Assets' }).getByRole('listitem')
const card = (page: Page, name: string) => cards(page).filter({ hasText: name })
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search assets' })
const files = (page: Page) => page.getByRole('list', { name: 'Files' }).getByRole('listitem')
const replacement = (page: Page) => page.getByRole('list', { name: 'Replace file' }).getByRole('listitem')

async function chooseReplacement(page: Page, file: ReturnType<typeof wav>) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Replace file' }).click()
  await (await choosing).setFiles([file])
}
const chooser = (page: Page) => page.getByLabel('Drop files here, or choose them')

test('a card describes its asset, and the list can be filtered by name, type, status and usage', async ({
  signedIn: page,
  request,
  token,
}) => {
  await test.step('a card links to its asset, and Back returns to the list', async () => {
    const asset = await anAsset(request, token)
    await page.goto(`/assets?search=${asset.filename}`)
    await expect(heading(page)).toHaveText('Assets')
    const shown = card(page, asset.filename)
    for (const text of [`${asset.size} Bytes`, '1 × 1', 'Ready']) await expect(shown).toContainText(text)
    await expect(shown.locator('img')).toHaveJSProperty('complete', true)
    await expect(shown.locator('img')).toHaveJSProperty('naturalWidth', 1)
    await noSidewaysScroll(page)
    await noViolations(page)
    await shown.getByRole('link', { name: asset.filename, exact: true }).click()
    await expect(heading(page)).toHaveText(asset.filename)
    await expect(page).toHaveURL(`/assets/${asset._id}`)
    await page.getByRole('link', { name: 'Back to Assets' }).click()
    await expect(page).toHaveURL(`/assets?search=${asset.filename}`)
  })

  await test.step('filters by name, type and status are kept in the URL', async () => {
    const word = aWord()
    await anAsset(request, token, png(`${word} cover.png`))
    await anAsset(request, token, wav(`${word} theme.wav`))
    await page.goto('/assets')
    await searchBox(page).fill(word)
    await expect(cards(page)).toHaveCount(2)
    await expect(page).toHaveURL(`/assets?search=${word}`)
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Audio')
    await expect(cards(page)).toHaveCount(1)
    await expect(cards(page)).toContainText('theme.wav')
    await expect(page).toHaveURL(`/assets?search=${word}&type=AUDIO`)
    await page.reload()
    await expect(cards(page)).toHaveCount(1)
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Error')
    await expect(page.getByText('No assets found')).toBeVisible()
    await noViolations(page)
    await page.getByRole('button', { name: 'Reset' }).last().click()
    await expect(page).toHaveURL('/assets')
    await expect(cards(page)).not.toHaveCount(0)
  })

  await test.step('unused assets are listed with their size, moved to the trash, and restored', async () => {
    const word = aWord()
    const used = await anAsset(request, token, png(`${word} used.png`))
    for (const name of ['one', 'two']) await anAsset(request, token, wav(`${word} ${name}.wav`))
    const media = await aMedia(request, token)
    const data = { ...media, cover: used._id }
    await request.put(`/api/media/${media._id}`, { data, headers: { authorization: `Bearer ${token}` } })
    await page.goto(`/assets?search=${word}`)
    await expect(cards(page)).toHaveCount(3)
    await page.getByRole('combobox', { name: 'Usage', exact: true }).selectOption('Unused')
    await expect(page).toHaveURL(`/assets?search=${word}&unused=true`)
    await expect(page.getByText('2 unused assets, 15.71 KB')).toBeVisible()
    await expect(cards(page)).toHaveCount(2)
    await noSidewaysScroll(page)
    await noViolations(page)
    await page.getByRole('button', { name: 'Move all to the trash' }).click()
    const question = page.getByRole('dialog', { name: 'Move unused assets to the trash' })
    await expect(question).toContainText('Move 2 unused assets (15.71 KB) to the trash?')
    await noViolations(page)
    await question.getByRole('button', { name: 'Move to the trash' }).click()
    await expect(page.getByText('2 assets moved to the trash')).toBeVisible()
    await expect(page.getByText('No assets found')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('2 assets restored')).toBeVisible()
    await expect(cards(page)).toHaveCount(2)
    await page.getByRole('combobox', { name: 'Usage', exact: true }).selectOption('Used')
    await expect(cards(page)).toHaveCount(1)
    await expect(card(page, `${word} used.png`)).toBeVisible()
  })
})

test.describe(() => {
  // The browser logs the refused upload.
  test.use({ expectedErrors: [/415/] })

  test('several files are uploaded, each with its own result', async ({ signedIn: page }) => {
    await test.step('files from the file chooser', async () => {
      const word = aWord()
      await page.goto('/assets')
      await page.getByRole('button', { name: 'Upload Asset' }).click()
      await expect(chooser(page)).toBeFocused()
      // As the browser does when its file dialog is cancelled.
      await chooser(page).dispatchEvent('cancel', { bubbles: true })
      await expect(chooser(page)).toBeFocused()
      const hostile = {
        name: `${word} page.png`,
        mimeType: 'image/png',
        buffer: Buffer.from('<html><script>alert(1)</script>'),
      }
      await chooser(page).setInputFiles([png(`${word} 表紙.png`), wav(`${word} theme.wav`), hostile])
      await expect(files(page)).toHaveCount(3)
      await expect(files(page).nth(0)).toContainText('Uploaded')
      await expect(files(page).nth(1)).toContainText('Uploaded')
      await expect(files(page).nth(2)).toContainText('This kind of file is not accepted.')
      await expect(page.getByRole('status').filter({ hasText: '2 of 3 files uploaded, 1 failed' })).toBeAttached()
      await noSidewaysScroll(page)
      await noViolations(page)
      await page.getByRole('button', { name: 'Clear finished' }).click()
      await expect(files(page)).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: 'Upload Asset' })).toBeFocused()
      await searchBox(page).fill(word)
      await expect(cards(page)).toHaveCount(2)
    })

    await test.step('dropped files, including a hostile and an empty one', async () => {
      const word = aWord()
      await page.goto('/assets')
      await page.getByRole('button', { name: 'Upload Asset' }).click()
      await expect(chooser(page)).toBeFocused()
      await drop(page, [
        { name: `${word} 一.png`, bytes: aPixel().toString('base64') },
        { name: `${word} page.png`, bytes: btoa('<!doctype html><script>alert(1)</script>') },
        { name: `${word} none.png`, bytes: '' },
        { name: `${word} 二.png`, bytes: aPixel().toString('base64') },
      ])
      await expect(files(page)).toHaveCount(4)
      await expect(files(page).nth(0)).toContainText('Uploaded')
      await expect(files(page).nth(1)).toContainText('This kind of file is not accepted.')
      await expect(files(page).nth(2)).toContainText('This file is empty.')
      await expect(files(page).nth(3)).toContainText('Uploaded')
      await noViolations(page)
      await page.keyboard.press('Escape')
      await searchBox(page).fill(word)
      await expect(cards(page)).toHaveCount(2)
    })
  })
})

test('the page stays responsive while sixty images are uploaded at once', async ({ signedIn: page }) => {
  const word = aWord()
  await page.goto('/assets')
  await page.getByRole('button', { name: 'Upload Asset' }).click()
  await expect(chooser(page)).toBeFocused()
  await page.evaluate(() => {
    const watch = { longest: 0, last: performance.now() }
    Object.assign(window, { watch })
    const frame = (at: number) => {
      watch.longest = Math.max(watch.longest, at - watch.last)
      watch.last = at
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  const bytes = aPixel().toString('base64')
  const began = Date.now()
  await drop(
    page,
    Array.from({ length: 60 }, (_, at) => ({ name: `${word} ${at}.png`, bytes })),
  )
  await expect(files(page)).toHaveCount(60)
  // The list of files can be used during the uploads.
  await page.getByRole('button', { name: `Cancel ${word} 59.png` }).click()
  await expect(files(page)).toHaveCount(59)
  await expect(files(page).filter({ hasText: 'Uploaded' })).toHaveCount(59, { timeout: 50_000 })
  const longest = await page.evaluate(() => (window as unknown as { watch: { longest: number } }).watch.longest)
  // A blocked page shows no frame all the while; on a busy machine, everything takes longer.
  expect(longest).toBeLessThan(Math.max(3000, (Date.now() - began) / 3))
  await page.getByRole('button', { name: 'Clear finished' }).click()
  await expect(files(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await searchBox(page).fill(word)
  await expect(page.getByText('Showing 1 to 20 of 59 results')).toBeVisible()
})

test.describe(() => {
  test.use({ expectedErrors: [/415|500|HTTP 0|net::ERR|Failed to load resource|Asset not found/] })

  test('a large file becomes a single asset even if the last response is lost', async ({ signedIn: page }) => {
    const sound = Buffer.concat([aSound(), Buffer.alloc(9 * 1024 * 1024)])
    const word = aWord()
    let lost = 0
    await page.route('/api/uploads/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      const answer = await route.fetch()
      const { asset } = (await answer.json()) as { asset?: object }
      if (!asset) return route.fulfill({ response: answer })
      lost++
      return route.abort()
    })
    await page.goto('/assets')
    await page.getByRole('button', { name: 'Upload Asset' }).click()
    await chooser(page).setInputFiles([{ name: `${word}.wav`, mimeType: 'audio/wav', buffer: sound }])
    await expect(files(page)).toContainText('Uploaded', { timeout: 30_000 })
    expect(lost).toBe(1)
    await page.keyboard.press('Escape')
    await searchBox(page).fill(word)
    await expect(cards(page)).toHaveCount(1)
  })

  test('a large file replaces another one once, even if the last response is lost', async ({
    signedIn: page,
    request,
    token,
  }) => {
    const asset = await anAsset(request, token, wav(`${aWord()}.wav`))
    const sound = Buffer.concat([aSound(), Buffer.alloc(9 * 1024 * 1024)])
    const answers: (object | undefined)[] = []
    await page.route('/api/uploads/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      const answer = await route.fetch()
      const { asset: replaced } = (await answer.json()) as { asset?: object }
      answers.push(replaced)
      return replaced ? route.abort() : route.fulfill({ response: answer })
    })
    await page.goto(`/assets/${asset._id}`)
    await soundLoaded(page)
    await chooseReplacement(page, { ...wav('large.wav'), buffer: sound })
    await expect(page.getByText('File replaced')).toBeVisible({ timeout: 30_000 })
    expect(answers).toEqual([undefined, undefined, expect.objectContaining({ _id: asset._id, version: 2 })])
    await expect(replacement(page)).toHaveCount(0)
    await expect(page.getByRole('region', { name: 'Details' })).toContainText('9.01 MB')
    await expect(heading(page)).toHaveText(asset.filename)
    const stored = await request.get(`/api/assets/${asset._id}`, { headers: { authorization: `Bearer ${token}` } })
    expect(await stored.json()).toMatchObject({ version: 2, size: sound.length })
  })

  test('a replacement shows its progress, and can be cancelled', async ({ signedIn: page, request, token }) => {
    const asset = await anAsset(request, token, wav(`${aWord()}.wav`))
    const sound = Buffer.concat([aSound(), Buffer.alloc(9 * 1024 * 1024)])
    const held = Promise.withResolvers<void>()
    await page.route('/api/uploads/*', async (route) => {
      if (route.request().headers()['upload-offset'] === '4194304') await held.promise
      await route.continue()
    })
    await page.goto(`/assets/${asset._id}`)
    await soundLoaded(page)
    await chooseReplacement(page, { ...wav('large.wav'), buffer: sound })
    await expect(replacement(page)).toContainText(/large\.wav.* MB \/ 9\.01 MB/)
    await expect(replacement(page).getByRole('progressbar')).toHaveJSProperty('max', sound.length)
    await expect
      .poll(() => replacement(page).getByRole('progressbar').getAttribute('value').then(Number))
      .toBeGreaterThan(4e6)
    await noSidewaysScroll(page)
    await noViolations(page)
    const cancelled = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await page.getByRole('button', { name: 'Cancel large.wav' }).click()
    expect((await cancelled).status()).toBe(200)
    held.resolve()
    await expect(replacement(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Replace file' })).toBeFocused()
    await chooseReplacement(page, { ...wav('small.wav'), buffer: Buffer.concat([aSound(), Buffer.alloc(500)]) })
    await expect(page.getByText('File replaced')).toBeVisible()
    const stored = await request.get(`/api/assets/${asset._id}`, { headers: { authorization: `Bearer ${token}` } })
    expect(await stored.json()).toMatchObject({ version: 2, size: 8544 })
  })

  test('a small file whose connection is lost shows an error, and can be retried', async ({ signedIn: page }) => {
    await page.goto('/assets')
    await page.getByRole('button', { name: 'Upload Asset' }).click()
    await page.route('/api/assets', (route) => route.abort(), { times: 1 })
    await chooser(page).setInputFiles([png(`${aWord()}.png`)])
    await expect(files(page)).toContainText('Network error. Please check your connection.')
    await page.getByRole('button', { name: /^Retry/ }).click()
    await expect(files(page)).toContainText('Uploaded')
  })

  test('a small file whose response is lost becomes one asset when it is retried', async ({ signedIn: page }) => {
    const word = aWord()
    await page.goto('/assets')
    await page.getByRole('button', { name: 'Upload Asset' }).click()
    const loseResponse = async (route: Route) => {
      await route.fetch()
      await route.abort()
    }
    await page.route('/api/assets', loseResponse, { times: 1 })
    await chooser(page).setInputFiles([png(`${word}.png`)])
    await expect(files(page)).toContainText('Network error. Please check your connection.')
    await page.getByRole('button', { name: /^Retry/ }).click()
    await expect(files(page)).toContainText('Uploaded')
    // The same file, chosen again.
    await chooser(page).setInputFiles([png(`${word}.png`)])
    await expect(files(page)).toContainText(['Uploaded', 'Uploaded'])
    await page.keyboard.press('Escape')
    await searchBox(page).fill(word)
    await expect(cards(page)).toHaveCount(2)
  })

  test('a large file is uploaded in parts, and a lost part is sent again', async ({ signedIn: page }) => {
    const sound = Buffer.concat([aSound(), Buffer.alloc(9 * 1024 * 1024)])
    let parts = 0
    await page.route('/api/uploads/*', async (route) => {
      if (route.request().method() === 'PATCH' && ++parts === 2) return route.abort()
      return route.continue()
    })
    await page.goto('/assets')
    await page.getByRole('button', { name: 'Upload Asset' }).click()
    await chooser(page).setInputFiles([{ name: `${aWord()}.wav`, mimeType: 'audio/wav', buffer: sound }])
    await expect(files(page)).toContainText('Uploaded', { timeout: 30_000 })
    expect(parts).toBe(4)
  })

  test('files wait while the browser is offline, and continue when it is online again', async ({
    signedIn: page,
    context,
  }) => {
    const sound = Buffer.concat([aSound(), Buffer.alloc(9 * 1024 * 1024)])
    const word = aWord()
    const offsets: (string | undefined)[] = []
    await page.route('/api/uploads/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      const offset = route.request().headers()['upload-offset']
      if (offset === '4194304' && !offsets.includes(offset)) await context.setOffline(true)
      offsets.push(offset)
      return route.continue()
    })
    await page.goto('/assets')
    await page.getByRole('button', { name: 'Upload Asset' }).click()
    await chooser(page).setInputFiles([{ name: `${word}.wav`, mimeType: 'audio/wav', buffer: sound }])
    await expect(files(page)).toContainText('Waiting for the connection · 4 MB / 9.01 MB')
    await chooser(page).setInputFiles([png(`${word}.png`)])
    await expect(files(page)).toHaveText([/Waiting for the connection · /, /Waiting for the connection$/])
    await context.setOffline(false)
    await expect(files(page)).toContainText(['Uploaded', 'Uploaded'], { timeout: 30_000 })
    expect(offsets[0]).toBe('0')
    expect(offsets.slice(1)).not.toContain('0')
    await page.keyboard.press('Escape')
    await searchBox(page).fill(word)
    await expect(cards(page)).toHaveCount(2)
  })
})

test.describe(() => {
  test.use({ expectedErrors: [/404 \(Not Found\)/] })

  test('a recording goes on where it is when it becomes private, also for others who are playing it', async ({
    signedIn: page,
    request,
    token,
  }) => {
    // Too long to be loaded before it has been played for a while.
    const asset = await anAsset(request, token, { ...wav(`${aWord()}.wav`), buffer: aSound(3600) })
    const player = page.locator('audio')
    const play = () => player.evaluate((sound: HTMLAudioElement) => sound.play())
    const playedTo = () =>
      player.evaluate(({ currentTime, paused }: HTMLAudioElement) => (paused ? 'paused' : currentTime))
    await page.goto(`/assets/${asset._id}`)
    await soundLoaded(page)
    await play()
    await player.evaluate((sound: HTMLAudioElement) => void (sound.currentTime = 20))
    await page.getByRole('button', { name: 'Make private' }).click()
    await expect(page.getByRole('button', { name: 'Make public' })).toBeVisible()
    await expect.poll(playedTo).toBeGreaterThanOrEqual(20)

    const publicUrl = page.waitForResponse((answer) => answer.url().endsWith(asset.url))
    await page.getByRole('button', { name: 'Make public' }).click()
    await page.reload()
    await publicUrl
    await soundLoaded(page)
    await play()
    const headers = { authorization: `Bearer ${token}`, 'if-match': '"3"' }
    const hidden = await request.put(`/api/assets/${asset._id}`, { data: { isPublic: false }, headers })
    expect(hidden.status(), await hidden.text()).toBe(200)
    await player.evaluate((sound: HTMLAudioElement) => void (sound.currentTime = 3000))
    await expect.poll(() => player.getAttribute('src')).toContain('signature=')
    await expect.poll(playedTo).toBeGreaterThanOrEqual(3000)
  })
})

/** Waits until the browser has loaded the sound: its URL is no longer valid once it is private or replaced. */
const soundLoaded = (page: Page) =>
  expect
    .poll(() => page.locator('audio').evaluate((sound: HTMLAudioElement) => sound.readyState))
    .toBeGreaterThanOrEqual(1)

test('an asset shows its details, can be made private, and can get another file', async ({
  signedIn: page,
  request,
  token,
}) => {
  await test.step('shows all details, and where the asset is used', async () => {
    const asset = await anAsset(request, token)
    const media = await aMedia(request, token)
    const put = await request.put(`/api/media/${media._id}`, {
      data: { ...media, assets: [asset._id], cover: asset._id },
      headers: { authorization: `Bearer ${token}` },
    })
    expect(put.status(), await put.text()).toBe(200)
    await page.goto(`/assets/${asset._id}`)
    const details = page.getByRole('region', { name: 'Details' })
    for (const text of ['Ready', 'Image', 'image/png', `${asset.size} Bytes`, '1 × 1', 'Public', 'admin'])
      await expect(details).toContainText(text)
    const download = page.getByRole('link', { name: 'Download' })
    await expect(download).toHaveAttribute('target', '_blank')
    await expect(download).toHaveAttribute('href', asset.url)
    await noSidewaysScroll(page)
    await noViolations(page)
    const title = media.translations.en?.title ?? ''
    const uses = page.getByRole('region', { name: /^Used In ?1$/ })
    await expect(uses.getByRole('listitem')).toHaveCount(1)
    await expect(uses.getByRole('listitem')).toContainText('Cover, Asset')
    await uses.getByRole('link', { name: title }).click()
    await expect(page).toHaveURL(`/media/${media._id}`)
  })

  await test.step('the file of a private asset is reachable only by a signed URL', async () => {
    const asset = await anAsset(request, token, wav(`${aWord()}.wav`))
    await page.goto(`/assets/${asset._id}`)
    await soundLoaded(page)
    await page.getByRole('button', { name: 'Make private' }).click()
    await expect(page.getByRole('region', { name: 'Details' })).toContainText('Private')
    await expect(page.getByRole('link', { name: 'Download' })).toHaveAttribute('href', /signature=/)
    expect((await request.get(asset.url)).status()).toBe(404)
    const signed = await attributeOf(page.getByRole('link', { name: 'Download' }), 'href')
    expect((await request.get(signed)).status()).toBe(200)
    await page.getByRole('button', { name: 'Make public' }).click()
    await expect(page.getByRole('link', { name: 'Download' })).toHaveAttribute('href', asset.url)
  })

  await test.step('the file is replaced with another one', async () => {
    const asset = await anAsset(request, token, wav(`${aWord()}.wav`))
    await page.goto(`/assets/${asset._id}`)
    await expect(page.locator('audio')).toBeVisible()
    await soundLoaded(page)
    await chooseReplacement(page, { ...wav('other.wav'), buffer: Buffer.concat([aSound(), Buffer.alloc(500)]) })
    await expect(page.getByText('File replaced')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Download' })).not.toHaveAttribute('href', asset.url)
    await expect(heading(page)).toHaveText(asset.filename)
  })
})

test('deleting an asset shows where it is used, and can be undone', async ({ signedIn: page, request, token }) => {
  const asset = await anAsset(request, token, wav(`${aWord()}.wav`))
  const title = aWord()
  const media = await aMedia(request, token, { title })
  await request.put(`/api/media/${media._id}`, {
    data: { ...media, assets: [asset._id] },
    headers: { authorization: `Bearer ${token}` },
  })
  await page.goto(`/assets?search=${asset.filename}`)
  await page.getByRole('button', { name: `Delete ${asset.filename}` }).click()
  const question = page.getByRole('dialog', { name: 'Delete asset' })
  await expect(question).toContainText('Are you sure you want to delete this asset?')
  await expect(question).toContainText(title)
  await noViolations(page)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Asset deleted')).toBeVisible()
  await expect(page.getByText('No assets found')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card(page, asset.filename)).toBeVisible()
})

test('an image is set as the cover of a media item found by search, and Undo reverts it', async ({
  signedIn: page,
  request,
  token,
}) => {
  const asset = await anAsset(request, token)
  const title = aWord()
  const media = await aMedia(request, token, { title })
  await page.goto(`/assets/${asset._id}`)
  await page.getByRole('button', { name: 'Set as cover' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set as cover of…' })
  const search = dialog.getByRole('combobox', { name: 'Search media' })
  await search.fill(title)
  await expect(dialog.getByRole('option')).toHaveCount(1)
  await noViolations(page)
  await page.keyboard.press('Enter')
  await expect(page.getByText(`New cover for ${title}`)).toBeVisible()
  await expect(dialog).toBeHidden()
  const cover = async () => {
    const answer = await request.get(`/api/media/${media._id}`, { headers: { authorization: `Bearer ${token}` } })
    return ((await answer.json()) as { cover: { _id: string } | '' }).cover
  }
  expect(await cover()).toMatchObject({ _id: asset._id })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Restored the previous cover of ${title}`)).toBeVisible()
  expect(await cover()).toBe('')
})

test('files dropped on any part of the screen are uploaded, and elsewhere the console stays', async ({
  signedIn: page,
  context,
}) => {
  const file = { name: `${aWord()}.png`, bytes: aPixel().toString('base64') }
  /** Drops a file, like a user, on what is in the middle of the window; false: the browser would open it. */
  const dropInMiddle = () =>
    page.evaluate(({ name, bytes }) => {
      const dataTransfer = new DataTransfer()
      const content = Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))
      dataTransfer.items.add(new File([content], name, { type: 'image/png' }))
      const target = document.elementFromPoint(innerWidth / 2, innerHeight - 20)
      const at = { dataTransfer, bubbles: true, cancelable: true }
      return ['dragover', 'drop'].map((type) => target?.dispatchEvent(new DragEvent(type, at)))
    }, file)
  await page.goto('/tags')
  await expect(page.getByRole('listitem').first()).toBeVisible()
  await expect.poll(dropInMiddle).toEqual([false, false])
  await page.goto('/assets')
  await expect(page.getByRole('button', { name: 'Upload Asset' })).toBeVisible()
  await expect.poll(dropInMiddle).toEqual([false, false])
  await expect(page.getByRole('dialog').getByRole('listitem').filter({ hasText: file.name })).not.toHaveCount(0)
  expect(context.pages()).toHaveLength(1)
})
