// What the ladder of permission tiers and the editor of one say.
import { newTier, type Tier, tiersApi } from '@mokuroku/contract/tiers'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import {
  answer,
  asked,
  aTier,
  fail,
  findToast,
  list,
  main,
  open,
  problems,
  reader,
  withoutServer,
  write,
} from './testing.tsx'

withoutServer()

const lowest = aTier({ _id: 'd', name: 'Newcomer', requiredScore: 0 })
/** What the editor holds of a tier. */
const input = ({ name, description, requiredScore, isActive, permissions }: Tier) => ({
  name,
  description,
  requiredScore,
  isActive,
  permissions,
})
const preview = { userCount: 0, gains: {}, losses: {}, first: [] }
const steps = () => main().findAllByRole('listitem')
const save = () => userEvent.click(main().getByRole('button', { name: 'Save Changes' }))

beforeEach(() => {
  list.tiers(lowest, aTier())
  answer(tiersApi.find, aTier())
  answer(tiersApi.preview, preview)
})

test('the default tier cannot be deleted', async () => {
  await open('/score-permissions')
  const remove = await main().findByRole('button', { name: 'Delete Newcomer' })
  expect(remove.getAttribute('aria-disabled')).toBe('true')
  remove.focus()
  await userEvent.keyboard('{Enter}')
  expect(await findToast('Cannot delete the default permission tier')).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a user sees everything, with the own tier, and changes nothing', async () => {
  await open('/score-permissions', { as: { ...reader, tier: 'Editor', scores: 12 } })
  const own = (await steps()).find((step) => step.textContent.includes('Your tier'))
  expect(own?.textContent).toContain('Editor')
  const reason = 'Only administrators can change permission tiers.'
  main().getByRole('button', { name: 'Add New Permission Tier' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(await findToast(reason)).toBeDefined()
  for (const verb of ['Edit', 'Delete']) {
    const button = main().getByRole('button', { name: `${verb} Editor` })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(button.title).toBe(reason)
  }
})

test('who may not change a tier is not told who would gain or lose what', async () => {
  await open('/score-permissions/s/edit', { as: reader })
  expect(await screen.findByText('Read-only: you do not have permission to edit this.')).toBeDefined()
  expect(main().queryByRole('region', { name: 'Who gains or loses permissions' })).toBeNull()
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([])
})

test('where nobody loses anything, saving asks nothing', async () => {
  answer(tiersApi.preview, { ...preview, userCount: 1, gains: { canCreateTag: 1 } })
  answer(tiersApi.update, aTier({ version: 2 }))
  await open('/score-permissions/s/edit')
  await write({ ...input(aTier()), permissions: { ...newTier().permissions, canCreateTag: true } })
  expect(await main().findByText('This affects 1 user.')).toBeDefined()
  await save()
  expect(await findToast('Permission tier updated successfully')).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  ['duplicate', 'requiredScore', 'Another active tier already has the required score 10.'],
  ['defaultTier', 'isActive', 'The default permission tier stays active, with a required score of 0.'],
])('a refusal (%s) is said at its value: %s', async (code, path, sentence) => {
  const tier = path === 'isActive' ? lowest : aTier()
  answer(tiersApi.find, tier)
  fail(tiersApi.update, 409, { code, message: sentence })
  await open('/score-permissions/s/edit')
  await write({ ...input(tier), name: 'Changed' })
  await save()
  await waitFor(() => expect(problems()).toContain(`${path}: ${sentence}`))
  expect((await findToast('Failed to update permission tier')).textContent).toContain(sentence)
})

test('the ladder is in Chinese', async () => {
  const permissions = { ...newTier().permissions, canUploadVideo: true }
  list.tiers(lowest, aTier({ permissions }))
  await open('/score-permissions', { language: 'zh' })
  expect(await screen.findByRole('heading', { level: 1, name: '积分权限' })).toBeDefined()
  const [, editor] = await steps()
  const videos = [...(editor?.querySelectorAll('dl > div') ?? [])].find(({ textContent }) =>
    textContent.includes('上传视频'),
  )
  expect(videos?.textContent).toContain('是')
})
