// Ratings: their list, their detail screen, and the user's own on a media screen.
import type { Me } from '@mokuroku/contract/auth'
import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { router } from './routes.tsx'
import {
  aMedia,
  answer,
  aRating,
  requests,
  fail,
  findToast,
  currentUrl,
  list,
  main,
  open,
  reader,
  withoutServer,
} from './testing.tsx'

withoutServer()

const rater: Me = { ...reader, permissions: { ...reader.permissions, canRateContent: true } }
const natsume = { _id: 'u', username: 'natsume', avatar: '', fullName: '' }
const rows = async () => {
  await main().findByRole('table', { name: 'Ratings' })
  return main()
    .getAllByRole('row')
    .filter((row) => row.closest('tbody'))
}
const perPage = () => main().getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' })
const score = () => main().getByRole<HTMLInputElement>('spinbutton', { name: 'Score' })
const setScore = async (text: string) => {
  await userEvent.clear(score())
  await userEvent.type(score(), `${text}{Enter}`)
}

describe('the list', () => {
  test('shows user, media, score, comment and date of each rating', async () => {
    list.ratings(
      aRating({ score: 8, comment: 'Slow, then not.' }),
      aRating({ _id: 's', userId: { ...natsume, _id: 'v', username: 'soseki' }, score: 7.9 }),
      aRating({
        _id: 't',
        userId: { ...natsume, _id: 'w', username: 'ogai' },
        score: 4.9,
        comment: '季節の描写が丁寧。',
      }),
    )
    await open('/ratings')
    const [good, fair, poor] = await rows()
    const heads = main().getAllByRole('columnheader')
    expect(heads.map(({ textContent }) => textContent)).toEqual([
      'User',
      'Media',
      'Score',
      'Comment',
      'Date',
      'Actions',
    ])
    const tones = [good, fair, poor].map((row) => {
      const badge = row?.querySelector<HTMLElement>('[data-tone]')
      return [badge?.dataset.tone, badge?.textContent]
    })
    expect(tones).toEqual([
      ['success', '8.0'],
      ['warning', '7.9'],
      ['danger', '4.9'],
    ])
    expect(good?.textContent).toContain('Slow, then not.')
    const links = [...(good?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'))
    expect(links).toContain('/media/m')
    expect(good?.querySelector('time')?.textContent).toBe('2026-01-05')
    expect(good?.querySelector('time')?.title).toMatch(/^January 5, 2026 at /)
    expect(fair?.textContent).toContain('No comment')
    expect(main().getByText('季節の描写が丁寧。').getAttribute('lang')).toBe('ja')
  })

  test('has a page size that is kept in the URL', async () => {
    answer(ratingsApi.list, ({ query: { page = '1', limit = '10' } }) => {
      const pages = Math.ceil(120 / Number(limit))
      const ratings = Array.from({ length: Number(limit) }, (_, at) => aRating({ _id: `${page}-${at}` }))
      return { ratings, pagination: { total: 120, pages, page: Number(page), limit: Number(limit) } }
    })
    await open('/ratings')
    expect(await rows()).toHaveLength(10)
    expect([...perPage().options].map(({ textContent }) => textContent)).toEqual(['10 rows', '25 rows', '50 rows'])
    await userEvent.selectOptions(perPage(), '25 rows')
    await waitFor(async () => expect(await rows()).toHaveLength(25))
    expect(currentUrl()).toBe('/ratings?limit=25')
    await userEvent.click(main().getByRole('button', { name: 'Next' }))
    expect(await main().findByText('Showing 26 to 50 of 120 results')).toBeDefined()
    expect(currentUrl()).toBe('/ratings?limit=25&page=2')
    expect(perPage().value).toBe('25')
    await userEvent.selectOptions(perPage(), '50 rows')
    await waitFor(async () => expect(await rows()).toHaveLength(50))
    expect(currentUrl()).toBe('/ratings?limit=50')
    router.history.back()
    await waitFor(async () => expect(await rows()).toHaveLength(25))
    expect(currentUrl()).toBe('/ratings?limit=25&page=2')
  })

  test('finds ratings by media or user, and says if there are none', async () => {
    answer(ratingsApi.list, ({ query: { search, page } }) => {
      const ratings = search === 'nobody' ? [] : [aRating()]
      return { ratings, pagination: { total: ratings.length, pages: 1, page: Number(page), limit: 25 } }
    })
    await open('/ratings?limit=25&page=2')
    await userEvent.type(await main().findByRole('searchbox', { name: 'Search ratings' }), 'nobody')
    expect(await main().findByText('No ratings match your search.')).toBeDefined()
    expect(currentUrl()).toBe('/ratings?limit=25&search=nobody')
    await userEvent.click(main().getAllByRole('button', { name: 'Reset' })[0] ?? document.body)
    expect(await rows()).toHaveLength(1)
    expect(currentUrl()).toBe('/ratings')
  })

  test('falls back to the default page size for an unsupported one', async () => {
    list.ratings(aRating())
    await open('/ratings?limit=7')
    await rows()
    expect(perPage().value).toBe('10')
    expect(requests.findLast(({ path }) => path === '/api/ratings')?.query.limit).toBe('10')
  })

  test('is shown in Chinese, and so is a rating', async () => {
    const translations = { en: { title: 'Kokoro', description: '' }, zh: { title: '中文心', description: '' } }
    const rating = aRating({ mediaId: { _id: 'm', translations, mediaType: 'NOVEL' } })
    list.ratings(rating)
    answer(ratingsApi.find, rating)
    await open('/ratings', { language: 'zh' })
    expect(await screen.findByRole('heading', { level: 1, name: '评分' })).toBeDefined()
    expect((await main().findByRole('link', { name: '中文心' })).getAttribute('lang')).toBe('zh')
    router.history.push('/ratings/r')
    await userEvent.click(await main().findByRole('button', { name: '修改评分' }))
    expect(main().getByText('0–10 分，可精确到 0.1')).toBeDefined()
  })

  test('names a deleted user in the language of the console', async () => {
    const rating = aRating({ userId: 'gone' })
    list.ratings(rating)
    answer(ratingsApi.find, rating)
    await open('/ratings', { language: 'zh' })
    expect((await main().findByText('匿名用户')).getAttribute('lang')).toBeNull()
    router.history.push('/ratings/r')
    await main().findByRole('button', { name: '修改评分' })
    expect(main().getByText('匿名用户').getAttribute('lang')).toBeNull()
  })
})

describe('a rating', () => {
  test('of a deleted user is anonymous, and can be deleted', async () => {
    answer(ratingsApi.find, aRating({ userId: 'gone' }))
    answer(ratingsApi.remove, { success: true })
    list.ratings()
    await open('/ratings/r')
    expect(await main().findByText('Anonymous')).toBeDefined()
    await userEvent.click(main().getByRole('button', { name: 'Delete' }))
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(await findToast('Rating deleted')).toBeDefined()
    await waitFor(() => expect(currentUrl()).toBe('/ratings'))
  })

  test('of another user is read-only', async () => {
    answer(ratingsApi.find, aRating())
    await open('/ratings/r', { as: reader })
    const edit = await main().findByRole('button', { name: 'Edit Rating' })
    expect(edit.getAttribute('aria-disabled')).toBe('true')
    expect(main().getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true')
    edit.focus()
    await userEvent.keyboard('{Enter}')
    const reason = 'Only the author of the rating, moderators and administrators can change it.'
    expect(await findToast(reason)).toBeDefined()
    expect(main().queryByRole('spinbutton')).toBeNull()
  })

  test('of the user can be edited', async () => {
    const own = aRating({ userId: { ...natsume, _id: reader._id } })
    answer(ratingsApi.find, own)
    answer(ratingsApi.update, { ...own, score: 2, version: 2 })
    await open('/ratings/r', { as: rater })
    await userEvent.click(await main().findByRole('button', { name: 'Edit Rating' }))
    await setScore('2')
    expect(await findToast('Rating updated successfully')).toBeDefined()
  })
})

describe('on a media item', () => {
  const mine = () => main().findByRole('group', { name: 'Your rating' })
  const own = (given: Parameters<typeof aRating>[0]) =>
    aRating({ userId: { ...natsume, _id: reader._id }, mediaId: 'm', ...given })

  async function openMedia(as: Me) {
    answer(mediaApi.find, aMedia())
    answer(charactersApi.ofMedia, [])
    list.assets()
    await open('/media/m', { as })
    return within(await mine())
  }

  test('shows a server error at its field, and keeps the input', async () => {
    answer(ratingsApi.ofMedia, [])
    const group = await openMedia(rater)
    await userEvent.click(await group.findByRole('button', { name: 'Rate this' }))
    const comment = group.getByLabelText<HTMLTextAreaElement>(/^Comment/)
    expect(comment.maxLength).toBe(500)
    const sentence = 'A comment is plain text, without markup.'
    fail(ratingsApi.create, 400, { message: sentence, errors: [{ path: 'comment', message: sentence }] })
    await userEvent.type(comment, 'Read it <b>twice</b>.')
    await setScore('5')
    expect(await group.findByText(sentence)).toBeDefined()
    expect(comment.getAttribute('aria-invalid')).toBe('true')
    expect(comment.value).toBe('Read it <b>twice</b>.')

    await userEvent.clear(comment)
    await userEvent.type(comment, 'Read it twice.')
    const taken = 'You have already rated this media item.'
    fail(ratingsApi.create, 409, { code: 'alreadyRated', message: taken })
    answer(ratingsApi.ofMedia, [own({ score: 8.8 })])
    await userEvent.type(score(), '{Enter}')
    expect((await findToast('Failed to save rating')).textContent).toContain(taken)
    expect(await main().findByText(/^You rated this 8\.8 in another window\./)).toBeDefined()
    expect(comment.value).toBe('Read it twice.')
    answer(ratingsApi.update, own({ score: 5, version: 2 }))
    await userEvent.type(score(), '{Enter}')
    expect(await findToast('Rating saved')).toBeDefined()
    expect(requests.find(({ method }) => method === 'PUT')?.body).toEqual({ score: 5, comment: 'Read it twice.' })
  })

  test('marks the language of names and comments, also of a concurrent one', async () => {
    const others = aRating({ userId: { ...natsume, username: '夏目' }, comment: '季節の描写が丁寧。' })
    answer(ratingsApi.ofMedia, ({ query: { userId } }) => [userId ? own({}) : others])
    const group = await openMedia(rater)
    expect((await main().findByText('夏目')).lang).toBe('ja')
    expect(main().getByText('季節の描写が丁寧。').lang).toBe('ja')

    await userEvent.click(await group.findByRole('button', { name: 'Edit your rating' }))
    const theirs = own({ comment: '二度読んだ。' })
    const stale = { mine: {}, theirs, conflicts: ['comment'], version: 2, updatedAt: theirs.updatedAt }
    fail(ratingsApi.update, 412, { code: 'stale', message: 'Changed.', ...stale })
    await setScore('5')
    expect((await group.findByText('二度読んだ。', { selector: 'blockquote' })).lang).toBe('ja')
  })

  test('that is deleted elsewhere while it is being changed keeps the input, and can be given again', async () => {
    answer(ratingsApi.ofMedia, [own({ score: 6 })])
    const group = await openMedia(rater)
    await userEvent.click(await group.findByRole('button', { name: 'Edit your rating' }))
    const comment = group.getByLabelText<HTMLTextAreaElement>(/^Comment/)
    await userEvent.type(comment, 'Read it twice.')
    fail(ratingsApi.update, 404)
    answer(ratingsApi.ofMedia, [])
    await userEvent.type(score(), '{Enter}')
    expect(await main().findByText(/^This rating has been deleted in the meantime\./)).toBeDefined()
    expect(comment.value).toBe('Read it twice.')
    answer(ratingsApi.create, own({ score: 6 }))
    await userEvent.type(score(), '{Enter}')
    await findToast('Rating saved')
    const sent = requests.find(({ method }) => method === 'POST')
    expect(sent?.body).toEqual({ mediaId: 'm', score: 6, comment: 'Read it twice.' })
  })

  test('shows the rating of the user even if it is not on the first page', async () => {
    answer(ratingsApi.ofMedia, ({ query: { userId } }) => (userId === reader._id ? [own({ score: 6.1 })] : []))
    const group = await openMedia(rater)
    expect(await group.findByText('6.1')).toBeDefined()
  })

  test('explains why rating is not permitted', async () => {
    answer(ratingsApi.ofMedia, [])
    const group = await openMedia(reader)
    expect(await group.findByText('Your tier “Reader” does not allow rating.')).toBeDefined()
    expect(group.getByRole('button', { name: 'Rate this' }).getAttribute('aria-disabled')).toBe('true')
    expect(main().getByText('No ratings yet')).toBeDefined()
  })
})
