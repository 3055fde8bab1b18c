// The ladder of permission tiers, and the tier editor.
import { newTier, type Tier, type TierInput, tiersApi } from '@mokuroku/contract/tiers'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import {
  answer,
  requests,
  aTier,
  fail,
  failMissing,
  findToast,
  hold,
  currentUrl,
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
/** The fields of a tier in the editor. */
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

test('a user sees all tiers, with their own marked, but cannot change them', async () => {
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

test('a user who cannot edit a tier does not see who would gain or lose permissions', async () => {
  await open('/score-permissions/s/edit', { as: reader })
  expect(await screen.findByText('Read-only: you do not have permission to edit this.')).toBeDefined()
  expect(main().queryByRole('region', { name: 'Who gains or loses permissions' })).toBeNull()
  expect(requests.filter(({ path }) => path === tiersApi.preview.path)).toEqual([])
})

test('saving asks nothing if nobody loses a permission', async () => {
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
])('a rejected save (%s) shows its error at the value: %s', async (code, path, sentence) => {
  const tier = path === 'isActive' ? lowest : aTier()
  answer(tiersApi.find, tier)
  fail(tiersApi.update, 409, { code, message: sentence })
  await open('/score-permissions/s/edit')
  await write({ ...input(tier), name: 'Changed' })
  await save()
  await waitFor(() => expect(problems()).toContain(`${path}: ${sentence}`))
  expect((await findToast('Failed to update permission tier')).textContent).toContain(sentence)
})

test('the ladder is shown in Chinese', async () => {
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

/** Opens the matrix, and finds its cells by permission and tier. */
async function matrix() {
  await open('/score-permissions?view=matrix')
  const grid = within(await main().findByRole('grid', { name: 'Permissions by tier' }))
  expect(
    main()
      .getAllByRole('link', { current: 'page' })
      .map(({ textContent }) => textContent),
  ).toEqual(['Matrix'])
  const cell = (right: string, tier: number) => {
    const row = grid.getByRole('rowheader', { name: right }).closest('tr')
    return within(row ?? document.body).getAllByRole('cell')[tier] ?? document.body
  }
  return { grid, cell }
}
const puts = () => requests.filter(({ method }) => method === 'PUT')

test('a click in the matrix focuses the cell; the next grants its permission, and Undo revokes it', async () => {
  const { cell } = await matrix()
  await userEvent.click(cell('Create tags', 1))
  expect(document.activeElement).toBe(cell('Create tags', 1))
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(cell('Create tags', 1).textContent).toBe('No')
  const permissions = { ...newTier().permissions, canCreateTag: true }
  answer(tiersApi.update, () => {
    list.tiers(lowest, aTier({ version: 2, permissions }))
    return aTier({ version: 2, permissions })
  })
  await userEvent.click(cell('Create tags', 1))
  const toast = await findToast('Editor: Create tags is now Yes')
  expect(puts()).toMatchObject([
    { path: '/api/score-permissions/s', base: '"1"', body: { name: 'Editor', permissions } },
  ])
  await waitFor(() => expect(cell('Create tags', 1).textContent).toBe('Yes'))
  answer(tiersApi.update, aTier({ version: 3 }))
  await userEvent.click(within(toast).getByRole('button', { name: 'Undo' }))
  await findToast('Editor: Create tags is now No')
  expect(puts()[1]).toMatchObject({ base: '"2"', body: { permissions: { canCreateTag: false } } })
})

test('what is changed in the matrix while another change is being saved follows it, also an undo', async () => {
  const { cell } = await matrix()
  let stored = aTier()
  answer(tiersApi.update, ({ body }) => {
    stored = aTier({ version: stored.version + 1, permissions: (body as TierInput).permissions })
    list.tiers(lowest, stored)
    return stored
  })
  const [releasePreview, releaseList] = [hold(tiersApi.preview), hold(tiersApi.list)]
  const press = async (right: string) => {
    await userEvent.click(cell(right, 1))
    await userEvent.click(cell(right, 1))
  }
  await press('Create tags')
  expect(cell('Create tags', 1).getAttribute('aria-busy')).toBe('true')
  await press('Edit any content')
  // It still says “No”: pressed again, since nothing seems to happen.
  await press('Create tags')
  expect(puts()).toEqual([])
  releasePreview()
  const toast = await findToast('Editor: Create tags is now Yes')
  await userEvent.click(within(toast).getByRole('button', { name: 'Undo' }))
  expect(puts()).toHaveLength(1)
  releaseList()
  await findToast('Editor: Create tags is now No')
  const sent = puts().map(({ base, body }) => [base, (body as TierInput).permissions])
  const { permissions } = aTier()
  expect(sent).toEqual([
    ['"1"', { ...permissions, canCreateTag: true }],
    ['"2"', { ...permissions, canCreateTag: true, canEditAnyContent: true }],
    ['"3"', { ...permissions, canEditAnyContent: true }],
  ])
  await waitFor(() => expect(cell('Create tags', 1).getAttribute('aria-busy')).toBeNull())
})

test('the matrix is left only after a question while changes are not sent yet, which are then dropped', async () => {
  const { cell } = await matrix()
  const permissions = { ...newTier().permissions, canCreateTag: true }
  answer(tiersApi.update, aTier({ version: 2, permissions }))
  list.tiers(lowest, aTier({ version: 2, permissions }))
  await userEvent.dblClick(cell('Create tags', 1))
  await findToast('Editor: Create tags is now Yes')
  await waitFor(() => expect(cell('Create tags', 1).getAttribute('aria-busy')).toBeNull())
  const release = hold(tiersApi.preview)
  answer(tiersApi.preview, { ...preview, userCount: 1, losses: { canRateContent: 1 } })
  await userEvent.dblClick(cell('Rate content', 0))
  await userEvent.dblClick(cell('Edit any content', 1))
  await userEvent.click(main().getByRole('link', { name: 'Ladder' }))
  const asked = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  expect(asked.getByText(/^Not all changes to the permissions have been saved/)).toBeDefined()
  await userEvent.click(asked.getByRole('button', { name: 'Leave without saving' }))
  await waitFor(() => expect(currentUrl()).toBe('/score-permissions'))
  answer(tiersApi.update, aTier({ version: 3 }))
  const saved = await findToast('Editor: Create tags is now Yes')
  await userEvent.click(within(saved).getByRole('button', { name: 'Undo' }))
  release()
  await findToast('Editor: Create tags is now No')
  expect(puts().map(({ path, base }) => [path, base])).toEqual([
    ['/api/score-permissions/s', '"1"'],
    ['/api/score-permissions/s', '"2"'],
  ])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the name of a custom permission breaks between its words in the matrix', async () => {
  const permissions = {
    ...newTier().permissions,
    customPermissions: { canFeatureOnHome: true, canUseTheAPIv2Twice: true },
  }
  list.tiers(lowest, aTier({ permissions }))
  const { grid } = await matrix()
  expect(grid.getByRole('rowheader', { name: 'canFeatureOnHome' }).innerHTML).toBe('can<wbr>Feature<wbr>On<wbr>Home')
  expect(grid.getByRole('rowheader', { name: 'canUseTheAPIv2Twice' }).innerHTML).toBe(
    'can<wbr>Use<wbr>The<wbr>APIv2<wbr>Twice',
  )
})

test('the preview of a tier that failed can be retried', async () => {
  fail(tiersApi.preview, 409)
  await open('/score-permissions/s/edit')
  const section = within(await main().findByRole('region', { name: 'Who gains or loses permissions' }))
  expect((await section.findByRole('alert')).closest('[aria-live]')).toBeNull()
  answer(tiersApi.preview, { ...preview, userCount: 1, gains: { canCreateTag: 1 } })
  await userEvent.click(section.getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(section.queryByRole('alert')).toBeNull())
})

test('the title of the page tells the matrix from the ladder', async () => {
  await open('/score-permissions')
  await steps()
  expect(document.title).toMatch(/^Score Permissions · /)
  await userEvent.click(main().getByRole('link', { name: 'Matrix' }))
  await waitFor(() => expect(document.title).toMatch(/^Matrix · Score Permissions · /))
})

test('the matrix can be navigated and a size entered with the keyboard', async () => {
  const { grid, cell } = await matrix()
  cell('Create media', 0).focus()
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  expect(document.activeElement).toBe(cell('Create characters', 1))
  await userEvent.keyboard('{Control>}{End}{/Control}')
  expect(document.activeElement).toBe(cell('Upload size', 1))
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(cell('Upload size', 1))
  expect(puts()).toEqual([])
  answer(tiersApi.update, aTier({ version: 2 }))
  await userEvent.keyboard('{Enter}')
  await userEvent.clear(grid.getByRole('spinbutton', { name: 'Upload size of Editor in MB' }))
  await userEvent.keyboard('250')
  fireEvent.keyDown(document.activeElement as HTMLElement, { key: 'Enter', isComposing: true })
  expect(grid.getByRole('spinbutton')).toBeDefined()
  await userEvent.keyboard('{Enter}')
  await findToast('Editor: Upload size is now 250 MB')
  expect(puts()).toMatchObject([{ body: { permissions: { maxUploadSizeMB: 250 } } }])
})

test('Enter on the name of a tier in the matrix opens its editor and changes nothing', async () => {
  const { grid } = await matrix()
  grid.getByRole('link', { name: 'Editor' }).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(currentUrl()).toBe('/score-permissions/s/edit'))
  expect(puts()).toEqual([])
})

test.each([
  ['en', 'Create tags', 'Some users will gain permissions', 'Save', 'Newcomer: Create tags is now Yes'],
  ['zh', '新建标签', '部分用户将获得权限', '保存', 'Newcomer：新建标签已改为“是”'],
] as const)(
  'the matrix shows who would gain a permission before it is saved (%s)',
  async (language, right, title, confirm, saved) => {
    answer(tiersApi.preview, { ...preview, userCount: 1, gains: { canCreateTag: 1 } })
    await open('/score-permissions?view=matrix', { language })
    const row = (await main().findByRole('rowheader', { name: right })).closest('tr')
    await userEvent.dblClick(within(row ?? document.body).getAllByRole('cell')[0] ?? document.body)
    const question = within(await screen.findByRole('dialog', { name: title }))
    expect(await question.findByText(new RegExp(right))).toBeDefined()
    expect(puts()).toEqual([])
    answer(tiersApi.update, lowest)
    await userEvent.click(question.getByRole('button', { name: confirm }))
    await findToast(saved)
  },
)

test('the matrix asks before users lose a permission', async () => {
  answer(tiersApi.preview, { ...preview, userCount: 1, losses: { canRateContent: 1 } })
  const { cell } = await matrix()
  await userEvent.dblClick(cell('Rate content', 0))
  const question = within(await screen.findByRole('dialog', { name: 'Some users will lose permissions' }))
  expect(puts()).toEqual([])
  answer(tiersApi.update, lowest)
  await userEvent.click(question.getByRole('button', { name: 'Save anyway' }))
  await findToast('Newcomer: Rate content is now No')
})

test('the matrix does not overwrite a concurrent change', async () => {
  fail(tiersApi.update, 412, { code: 'stale', message: 'x' })
  const { cell } = await matrix()
  await userEvent.dblClick(cell('Create tags', 1))
  expect((await findToast('Failed to update permission tier')).textContent).toContain('were changed elsewhere')
})

test('the matrix says that a tier was deleted meanwhile', async () => {
  failMissing(tiersApi.update, 'Permission tier')
  const { cell } = await matrix()
  await userEvent.dblClick(cell('Create tags', 1))
  const toast = await findToast('Failed to update permission tier')
  expect(toast.textContent).toContain(
    'This item has been deleted in the meantime. Try again once it has been restored.',
  )
})

test('the matrix changes the focused tier, also after another one was deleted meanwhile', async () => {
  const last = aTier({ _id: 't', name: 'Curator', requiredScore: 900 })
  list.tiers(lowest, aTier(), last)
  const { grid, cell } = await matrix()
  await userEvent.click(cell('Create tags', 1))
  const granted = aTier({ version: 2, permissions: { ...newTier().permissions, canCreateTag: true } })
  answer(tiersApi.update, () => {
    list.tiers(granted, last)
    return granted
  })
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(cell('Create tags', 0).textContent).toBe('Yes'))
  expect(document.activeElement).toBe(cell('Create tags', 0))
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(puts()).toHaveLength(2))
  expect(puts()[1]).toMatchObject({ path: '/api/score-permissions/s', body: { permissions: { canCreateTag: false } } })

  await userEvent.keyboard('{Control>}{ArrowDown}{/Control}{Enter}')
  const box = grid.getByRole<HTMLInputElement>('spinbutton', { name: 'Upload size of Editor in MB' })
  await userEvent.clear(box)
  await userEvent.keyboard('25')
  list.tiers(lowest, granted, last)
  await queryClient.invalidateQueries()
  await waitFor(() => expect(grid.getAllByRole('columnheader')).toHaveLength(4))
  expect(document.activeElement).toBe(box)
  await userEvent.keyboard('0{Enter}')
  await waitFor(() => expect(puts()).toHaveLength(3))
  expect(puts()[2]).toMatchObject({ path: '/api/score-permissions/s', body: { permissions: { maxUploadSizeMB: 250 } } })
})

test('a custom permission has a row in the matrix, and a read-only matrix explains why', async () => {
  list.tiers(lowest, aTier({ permissions: { ...newTier().permissions, customPermissions: { canPin: true } } }))
  await open('/score-permissions?view=matrix', { as: reader })
  const row = (await main().findByRole('rowheader', { name: 'canPin' })).closest('tr')
  expect(row?.textContent).toBe('canPinNoYes')
  const [first] = within(row ?? document.body).getAllByRole('cell')
  expect(first?.closest('table')?.getAttribute('aria-readonly')).toBe('true')
  await userEvent.dblClick(first ?? document.body)
  expect(main().getByText('Only administrators can change permission tiers.')).toBeDefined()
  expect(puts()).toEqual([])
})

test('a conflict about permissions names those that differ', async () => {
  const stored = aTier()
  const permitting = (
    canCreateMedia: boolean,
    maxUploadSizeMB: number,
    customPermissions: Record<string, boolean>,
  ) => ({
    permissions: { ...stored.permissions, canCreateMedia, maxUploadSizeMB, customPermissions },
  })
  fail(tiersApi.update, 412, {
    code: 'stale',
    message: 'Changed.',
    base: permitting(false, 1000, { canPin: false }),
    mine: permitting(true, 1000, { canPin: true, canEmbed: true }),
    theirs: permitting(false, 2000, {}),
    conflicts: ['permissions'],
    version: 2,
    updatedAt: '2026-01-05T00:00:00.000Z',
  })
  await open('/score-permissions/s/edit')
  await write({ ...input(stored), name: 'Changed' })
  await save()
  const panel = within(await main().findByRole('region', { name: 'Someone else changed this' }))
  const [base, mine, theirs] = within(panel.getByRole('group', { name: 'Permissions' }))
    .getAllByRole('term')
    .reduce<string[][]>(
      (sides, term) => {
        const side = term.closest('label')?.textContent ?? ''
        const at = side.startsWith('Mine') ? 1 : side.startsWith('Theirs') ? 2 : 0
        sides[at]?.push(`${term.textContent}: ${term.nextElementSibling?.textContent}`)
        return sides
      },
      [[], [], []],
    )
  expect(base).toContain('Upload size (MB): 1,000')
  expect(base).toContain('canPin: No')
  expect(mine).toEqual(['Create media: NoYes', 'canPin: NoYes', 'canEmbed: Yes'])
  expect(theirs).toEqual(['Upload size (MB): 1,0002,000', 'canPin: No'])
})
