import type { Page } from '@playwright/test'
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { save, write } from './support/editor.ts'
import { expect, goTo, test } from './support/fixtures.ts'
import { aPerson, aRating, aTier } from './support/people.ts'

const confirm = (page: Page) =>
  page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Delete' })

test('media, character and tag screens show changes that were made on other screens', async ({
  signedIn: page,
  request,
  token,
}) => {
  await test.step('adding a tag to a media item updates the counts of the tag list', async () => {
    const word = aWord()
    const tag = await aTag(request, token, { name: word })
    const { _id, mediaType, translations, isOngoing, releaseDate } = await aMedia(request, token)
    const counts = page.getByRole('list', { name: 'Tags' }).getByRole('listitem').getByRole('definition')
    await page.goto(`/tags?search=${word}`)
    await expect(counts).toHaveText(['0', '0', '0'])
    await goTo(page, `/media/${_id}/edit`)
    await write(page, { mediaType, translations, isOngoing, releaseDate, tags: [tag._id] })
    await save(page).click()
    await expect(page.getByText('Media updated successfully')).toBeVisible()
    await goTo(page, `/tags?search=${word}`)
    await expect(counts).toHaveText(['1', '1', '0'])
  })

  await test.step('deleting a media item updates the activities and its character', async () => {
    const title = aWord()
    const { _id } = await aMedia(request, token, { title })
    const character = await aCharacter(request, token, { mediaRefs: [_id] })
    const gone = await aMedia(request, token)
    await request.delete(`/api/media/${gone._id}`, { headers: { authorization: `Bearer ${token}` } })
    await page.goto('/activities?type=MEDIA_DELETED')
    await expect(page.getByText(gone.translations.en?.title ?? '').first()).toBeVisible()
    await expect(page.getByText(title)).toHaveCount(0)
    await goTo(page, `/characters/${character._id}`)
    await expect(page.getByText(title).first()).toBeVisible()
    await goTo(page, `/media/${_id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await confirm(page).click()
    await expect(page).toHaveURL('/media')
    await goTo(page, `/characters/${character._id}`)
    await expect(page.getByText('This character is not linked to any media.')).toBeVisible()
    await goTo(page, '/activities?type=MEDIA_DELETED')
    await expect(page.getByText(title).first()).toBeVisible()
  })

  await test.step('linking a character to a media item shows it on the media screen', async () => {
    const name = aWord()
    const { _id } = await aMedia(request, token)
    const character = await aCharacter(request, token, { name })
    await page.goto(`/media/${_id}`)
    await expect(page.getByText('No characters associated with this media')).toBeVisible()
    await goTo(page, `/characters/${character._id}/edit`)
    await write(page, { translations: character.translations, mediaRefs: [_id] })
    await save(page).click()
    await expect(page.getByText('Character updated successfully')).toBeVisible()
    await goTo(page, `/media/${_id}`)
    await expect(page.getByText(name).first()).toBeVisible()
  })
})

test('rating, user and tier screens show changes that were made on other screens', async ({
  signedIn: page,
  request,
  token,
}) => {
  await test.step('changing a score updates the average in the media list', async () => {
    const title = aWord()
    const { _id: mediaId } = await aMedia(request, token, { title })
    const rating = await aRating(request, token, { mediaId, score: 4 })
    await page.goto(`/media?search=${title}`)
    const row = page.getByRole('row').filter({ hasText: title })
    await expect(row).toContainText('4.0')
    await goTo(page, `/ratings/${rating._id}`)
    await page.getByRole('button', { name: 'Edit Rating' }).click()
    await page.getByRole('spinbutton').or(page.getByLabel('Score')).first().fill('9')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Rating updated')).toBeVisible()
    await goTo(page, `/media?search=${title}`)
    await expect(row).toContainText('9.0')
  })

  await test.step('renaming a user updates their ratings', async () => {
    const person = await aPerson(request, token)
    const { _id: mediaId } = await aMedia(request, token)
    const rating = await aRating(request, person.token, { mediaId })
    const renamed = aWord()
    await page.goto(`/ratings/${rating._id}`)
    await expect(page.getByText(person.user.username).first()).toBeVisible()
    await goTo(page, `/users/${person.user._id}/edit`)
    await write(page, { username: renamed })
    await save(page).click()
    await expect(page.getByText('User updated successfully')).toBeVisible()
    await goTo(page, `/ratings/${rating._id}`)
    await expect(page.getByText(renamed).first()).toBeVisible()
  })

  await test.step('renaming a tier updates the user list', async () => {
    const tier = await aTier(request, token)
    const { user } = await aPerson(request, token, { scores: tier.requiredScore })
    const renamed = aWord()
    await page.goto(`/users?search=${user.username}`)
    const row = page.getByRole('row').filter({ hasText: user.username })
    await expect(row).toContainText(tier.name)
    await goTo(page, `/score-permissions/${tier._id}/edit`)
    const { name: _, description, requiredScore, isActive, permissions } = tier
    await write(page, { name: renamed, description, requiredScore, isActive, permissions })
    await save(page).click()
    await expect(page.getByText('Permission tier updated successfully')).toBeVisible()
    await goTo(page, `/users?search=${user.username}`)
    await expect(row).toContainText(renamed)
  })
})
