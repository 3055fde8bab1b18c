// Tests the accessibility of the catalogue's screens in Chinese. Their texts are tested without a browser
// (console/src/*.test.tsx).
import { aCharacter, aMedia, aTag, aWord } from './support/catalogue.ts'
import { expect, noViolations, test } from './support/fixtures.ts'

test('the screens of the catalogue are accessible in Chinese', async ({ signedIn: page, request, token }) => {
  const word = aWord()
  const name = `中文 ${word}`
  const media = await aMedia(request, token, {
    translations: {
      en: { title: `English ${word}`, description: '' },
      'zh-Hans': { title: name, description: '' },
    },
  })
  const translations = {
    en: { name: `English ${word}`, description: '' },
    'zh-Hans': { name, description: '说明' },
  }
  const character = await aCharacter(request, token, { translations })
  await aTag(request, token, { translations, type: 'CONTENT_WARNING' })
  await page.addInitScript(() => localStorage.setItem('language', 'zh'))
  for (const [path, heading] of [
    [`/media?search=${word}`, '作品列表'],
    [`/media/${media._id}`, name],
    [`/characters?search=${word}`, '角色'],
    [`/characters/${character._id}`, name],
    [`/tags?search=${word}`, '标签'],
  ] as const)
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      await expect(page.getByRole('main').getByText(name).first()).toHaveAttribute('lang', 'zh-Hans')
      await noViolations(page)
    })
})
