import { assetsApi } from '@mokuroku/contract/assets'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { kinds } from '@mokuroku/contract/kinds'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { AREAS, editorOf, historyOf, KINDS, screenOf } from '#lib/areas.ts'
import type { Area } from '#parts/area/area.ts'
import { GO_KEYS } from './nav.ts'
import { router } from './routes.tsx'
import { admin, anAsset, answer, open, withoutServer } from './testing.tsx'

withoutServer()

const pathsOf = (kind: (typeof KINDS)[number]) => [
  AREAS[kind].path,
  screenOf(kind, 'a'),
  ...(AREAS[kind].hasEditor ? [`${AREAS[kind].path}/new`, editorOf(kind, 'a')] : []),
  ...(AREAS[kind].opens === 'edit' ? [historyOf(kind, 'a')] : []),
]

test.each(KINDS.flatMap(pathsOf))('%s, a link target, matches a route', (path) => {
  const [, , foundRoute] = router.getMatchedRoutes(path)
  expect(foundRoute?.id).not.toMatch(/\$$/)
  expect(foundRoute).toBeDefined()
})

test('every kind has its own letter after g', () => {
  expect(KINDS.map((kind) => GO_KEYS.get(AREAS[kind].goKey)?.to)).toEqual(KINDS.map((kind) => AREAS[kind].path))
  expect([...GO_KEYS.values()].map(({ name }) => name)).toEqual(
    expect.arrayContaining(['dashboard', 'translations', 'batches', 'settings']),
  )
})

test('an activity links to its entity, unless that is deleted', async () => {
  const activity = {
    description: '',
    username: 'mori',
    createdAt: '2026-01-05T00:00:00.000Z',
    entityId: 'b',
    title: 'Botchan',
    userId: null,
    isThere: true,
  }
  answer(dashboardApi.activities, [
    { ...activity, _id: 'r', type: 'RATING_ADDED', entityType: 'Rating' },
    { ...activity, _id: 'd', type: 'TAG_DELETED', entityType: 'Tag', isThere: false },
  ])
  await open('/activities')
  expect((await screen.findByRole('link', { name: 'Rating added: Botchan' })).getAttribute('href')).toBe('/ratings/b')
  expect(screen.queryByRole('link', { name: /^Tag deleted/ })).toBeNull()
})

test('the uses of an asset link to the screen of each known kind', async () => {
  answer(assetsApi.find, anAsset())
  const use = (entityType: string) => ({ entityType, entityId: 'b', title: entityType, fields: ['cover'] })
  // Of a kind that this version of the console does not know.
  const uses = [use('Character'), use('Tag'), use('Chapter')] as never
  answer(assetsApi.uses, { total: 3, by: [], first: uses })
  await open('/assets/a')
  const link = (name: string) => screen.getByRole('link', { name: new RegExp(`^${name}`) }).getAttribute('href')
  expect(await screen.findByText('Chapter')).toBeDefined()
  expect(link('Character Cover')).toBe('/characters/b')
  expect(link('Tag Cover')).toBe('/tags/b/edit')
  expect(screen.queryByRole('link', { name: /^Chapter/ })).toBeNull()
})

const MODULES = import.meta.glob<{ area: Area }>('./*/area.tsx')

test.each(KINDS.filter((kind) => AREAS[kind].hasEditor))(
  '%s has a form with a dedicated input for each field',
  async (kind) => {
    const { area } = (await MODULES[`./${kinds[kind].plural}/area.tsx`]?.()) ?? {}
    const { schema, schemaOfNew = schema } = area?.editor ?? {}
    await open(`${AREAS[kind].path}/new`, { as: { ...admin, preferences: { columns: {}, editor: 'form' } } })
    await screen.findByRole('group', { name: /: form$/ })
    const shown = [...document.querySelectorAll<HTMLElement>('[data-place]')]
    const names = shown.map(({ dataset }) => dataset.place)
    expect(names).toEqual(expect.arrayContaining(Object.keys(schemaOfNew?.shape ?? { nothing: 0 })))
    expect(shown.filter(({ dataset }) => dataset.is === 'json')).toEqual([])
  },
)
