import { mediaApi } from '@mokuroku/contract/media'
import { type Rating, ratingsApi } from '@mokuroku/contract/ratings'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { router } from './routes.tsx'
import { aMedia, answer, aRating, currentUrl, fail, main, open, withoutServer } from './testing.tsx'

withoutServer()

const TOTAL = 12
const media = (at: number) =>
  aMedia({ _id: `m${at}`, translations: { en: { title: `Media ${at}`, description: '' } }, originalTitle: '' })

const pageOf = (page = '1') =>
  Array.from({ length: TOTAL }, (_, at) => media(at + 1)).slice((Number(page) - 1) * 10, Number(page) * 10)

beforeEach(() => {
  answer(mediaApi.list, ({ query }) => pageOf(query.page))
  answer(mediaApi.find, ({ path }) => media(Number(/m([0-9]+)$/.exec(path)?.[1])))
})

const heading = (name: string) => main().findByRole('heading', { name, level: 1 })
async function opened(row: string) {
  await userEvent.click(await main().findByRole('link', { name: row }))
  await heading(row)
}
const button = (name: RegExp) => main().queryByRole('button', { name })

test('[ and ] step through the list that an entry was opened from, across pages', async () => {
  await open('/media?type=ANIME')
  await opened('Media 9')
  await waitFor(() => expect(button(/^Next in the list/)).not.toBeNull())
  await userEvent.keyboard(']')
  await heading('Media 10')
  await waitFor(() => expect(button(/^Next in the list/)?.getAttribute('aria-disabled')).not.toBe('true'))
  await userEvent.keyboard(']')
  await heading('Media 11')
  expect(currentUrl()).toBe('/media/m11')
  const back = within(screen.getByRole('main')).getByRole('link', { name: /Back/ })
  expect(back.getAttribute('href')).toBe('/media?page=2&type=ANIME')
  await waitFor(() => expect(button(/^Previous in the list/)?.getAttribute('aria-disabled')).not.toBe('true'))
  await userEvent.keyboard('[[')
  await heading('Media 10')
  expect(main().getByRole('link', { name: /Back/ }).getAttribute('href')).toBe('/media?type=ANIME')
})

test('an entry opened by its URL has no previous or next one', async () => {
  await open('/media/m3')
  await heading('Media 3')
  expect(button(/in the list/)).toBeNull()
  await userEvent.keyboard(']')
  expect(currentUrl()).toBe('/media/m3')
})

describe('a list that fails to load says so at its entry, with Retry:', () => {
  const failed = 'Failed to load the previous and the next one in the list. Server error. Please try again later.'
  async function retried(known?: RegExp) {
    const line = (await main().findByText(failed)).parentElement ?? document.body
    if (known) expect(button(known)?.getAttribute('aria-disabled')).not.toBe('true')
    else expect(button(/in the list/)).toBeNull()
    answer(mediaApi.list, ({ query }) => pageOf(query.page))
    await userEvent.click(within(line).getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(button(/^Previous/)?.getAttribute('aria-disabled')).not.toBe('true'))
    expect(button(/^Next/)?.getAttribute('aria-disabled')).not.toBe('true')
    expect(main().queryByText(failed)).toBeNull()
  }

  test('its page', async () => {
    await open('/media/m1')
    fail(mediaApi.list)
    await router.navigate({ to: '/media/$id', params: { id: 'm2' }, state: { list: '' } })
    await retried()
  })

  test.each([
    ['next', '/media', 'Media 10', /^Previous/],
    ['previous', '/media?page=2', 'Media 11', /^Next/],
  ])('the %s page, while the neighbour on this page can be opened', async (_, path, name, known) => {
    await open(path)
    await main().findByRole('link', { name })
    fail(mediaApi.list)
    await opened(name)
    await retried(known)
  })
})

test('the first entry of a list has no previous one', async () => {
  await open('/media')
  await opened('Media 1')
  await waitFor(() => expect(button(/^Previous in the list/)?.getAttribute('aria-disabled')).toBe('true'))
  await userEvent.keyboard('[[')
  expect(currentUrl()).toBe('/media/m1')
})

test('in the editor, Next opens the next editor', async () => {
  await open('/media')
  await main().findByRole('link', { name: 'Media 2' })
  await userEvent.click(main().getAllByRole('link', { name: /^Edit/ })[1] ?? document.body)
  await waitFor(() => expect(currentUrl()).toBe('/media/m2/edit'))
  await userEvent.click(await main().findByRole('button', { name: /^Next in the list/ }))
  await waitFor(() => expect(currentUrl()).toBe('/media/m3/edit'))
})

test('on a rating, Next opens the next rating', async () => {
  const ratings: Rating[] = [aRating({ _id: 'r1' }), aRating({ _id: 'r2' })]
  answer(ratingsApi.list, { ratings, pagination: { total: 2, pages: 1, page: 1, limit: 10 } })
  answer(ratingsApi.find, ({ path }) => aRating({ _id: path.split('/').at(-1) ?? '' }))
  await open('/ratings')
  const link = await waitFor(() => {
    const found = main()
      .getAllByRole('link')
      .find((each) => each.getAttribute('href') === '/ratings/r1')
    if (!found) throw new Error('The rating is not there yet')
    return found
  })
  await userEvent.click(link)
  await waitFor(() => expect(currentUrl()).toBe('/ratings/r1'))
  await userEvent.click(await main().findByRole('button', { name: /^Next in the list/ }))
  await waitFor(() => expect(currentUrl()).toBe('/ratings/r2'))
})
