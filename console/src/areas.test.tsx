import { kinds } from '@mokuroku/contract/kinds'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '#api/queryClient.ts'
import { session } from '#api/session.ts'
import { restoreSession } from '#api/signIn.ts'
import { AREAS, editorOf, historyOf, KINDS, screenOf } from '#lib/areas.ts'
import type { Area } from '#parts/area/area.ts'
import { App } from './App.tsx'
import { GO_KEYS } from './nav.ts'
import { router } from './routes.tsx'

// Only fetch is stubbed; the answers below have the contract's types.
const answers = new Map<string, unknown>()
const me = { _id: '1', username: 'mori', email: 'mori@example.org', role: 'admin', permissions: { maxUploadSizeMB: 2 } }
const moment = '2026-01-05T00:00:00.000Z'
const stored = { _id: 'a', version: 1, createdAt: moment, updatedAt: moment }

beforeEach(() => {
  vi.stubGlobal('fetch', (url: string) => {
    const answer = answers.get(new URL(url, location.href).pathname)
    return Promise.resolve(new Response(JSON.stringify(answer ?? {}), { status: answer ? 200 : 404 }))
  })
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  answers.set('/api/auth/verify', { success: true, user: me })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  localStorage.clear()
  answers.clear()
  vi.unstubAllGlobals()
})

async function open(path: string) {
  localStorage.setItem('authToken', `h.${btoa(JSON.stringify({ exp: 9e9 }))}.s`)
  session.set({ state: 'loading' })
  router.history.replace(path)
  render(<App />)
  await restoreSession()
}

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
    _id: 'x',
    description: '',
    username: 'mori',
    createdAt: moment,
    entityId: 'b',
    title: 'Botchan',
    userId: null,
    isThere: true,
  }
  answers.set('/api/activities', [
    { ...activity, _id: 'r', type: 'RATING_ADDED', entityType: 'Rating' },
    { ...activity, _id: 'd', type: 'TAG_DELETED', entityType: 'Tag', isThere: false },
  ])
  await open('/activities')
  expect((await screen.findByRole('link', { name: 'Rating added: Botchan' })).getAttribute('href')).toBe('/ratings/b')
  expect(screen.queryByRole('link', { name: /^Tag deleted/ })).toBeNull()
})

test('the uses of an asset link to the screen of each known kind', async () => {
  answers.set('/api/assets/a', {
    ...stored,
    type: 'IMAGE',
    filename: 'a.png',
    url: '/files/a.png',
    mimeType: 'image/png',
    size: 1,
    status: 'READY',
    isPublic: true,
  })
  const use = (entityType: string) => ({ entityType, entityId: 'b', title: entityType, fields: ['cover'] })
  answers.set('/api/assets/a/uses', { total: 3, by: [], first: [use('Character'), use('Tag'), use('Chapter')] })
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
    answers.set('/api/auth/verify', { success: true, user: { ...me, preferences: { columns: {}, editor: 'form' } } })
    const { area } = (await MODULES[`./${kinds[kind].plural}/area.tsx`]?.()) ?? {}
    const { schema, schemaOfNew = schema } = area?.editor ?? {}
    await open(`${AREAS[kind].path}/new`)
    await screen.findByRole('group', { name: /: form$/ })
    const shown = [...document.querySelectorAll<HTMLElement>('[data-place]')]
    const names = shown.map(({ dataset }) => dataset.place)
    expect(names).toEqual(expect.arrayContaining(Object.keys(schemaOfNew?.shape ?? { nothing: 0 })))
    expect(shown.filter(({ dataset }) => dataset.is === 'json')).toEqual([])
  },
)
