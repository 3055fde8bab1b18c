// Which calls replace what is stored, and what keeps them from overwriting a change that the caller has not seen.
import type { Route } from '@mokuroku/contract/route'
import { beforeAll, expect, test } from 'vitest'
import { withReferences } from '#test/ai.ts'
import { withApp } from '#test/app.ts'
import { nameOf, routes } from '#test/contract.ts'
import { CALLS, type Given } from './calls.ts'
import { everybody, type People } from './people.ts'
import { ask } from './rawClient.ts'

withApp()
withReferences()

/**
 * Why a write without If-Match overwrites no text that the caller has not seen. A new call that replaces something needs
 * `versioned` in the contract, or, with good reason, a line here.
 */
const UNVERSIONED: Record<string, readonly string[]> = {
  'adds something, and replaces nothing': [
    'POST /api/ai/create-media',
    'POST /api/assets',
    'POST /api/assets/image',
    'POST /api/characters',
    'POST /api/comments',
    'POST /api/imports',
    'POST /api/media',
    'POST /api/ratings',
    'POST /api/score-permissions',
    'POST /api/tags',
    'POST /api/users',
    'POST /api/users/:id/invite',
    'POST /api/users/invite',
    'POST /api/views',
  ],
  'changes nothing that is edited': [
    'POST /api/ai/match-characters',
    'POST /api/ai/process',
    'POST /api/ai/process-standard',
    'POST /api/audit/verify',
    'POST /api/auth/confirm',
    'POST /api/auth/forgot-password',
    'POST /api/auth/login',
    'POST /api/auth/logout',
    'POST /api/characters/duplicates',
    'POST /api/characters/export',
    'POST /api/media/duplicates',
    'POST /api/media/export',
    'POST /api/notifications/read',
    'POST /api/score-permissions/preview',
    'POST /api/search',
    'POST /api/search/index',
    'POST /api/settings/ai/test',
    'POST /api/settings/mail/test',
    'POST /api/tags/duplicates',
    'POST /api/tags/export',
    'POST /api/work/claim',
    'POST /api/work/release',
  ],
  'sets a state that has no other text: repeated by somebody else, it does the same or is refused': [
    'POST /api/assets/:id/restore',
    'POST /api/assets/:id/retry',
    'POST /api/assets/unused/restore',
    'POST /api/assets/unused/trash',
    'POST /api/batches/:id/cancel',
    'POST /api/characters/:id/restore',
    'POST /api/findings/dismiss',
    'POST /api/imports/:id/apply',
    'POST /api/imports/:id/cancel',
    'POST /api/jobs/:id/cancel',
    'POST /api/jobs/:id/retry',
    'POST /api/media/:id/restore',
    'POST /api/ratings/:id/restore',
    'POST /api/score-permissions/:id/restore',
    'POST /api/tags/:id/restore',
    'POST /api/users/:id/restore',
  ],
  'has in its body, by entity, the version or the text that the caller has seen': [
    'POST /api/revisions/:id/restore',
    'POST /api/translation-history/rollback/:id',
    'POST /api/uploads',
    'PUT /api/translations/media/batch',
  ],
  'continues what another call has begun with the version that the caller has seen': ['PATCH /api/uploads/:id'],
  'changes many entities as they are at that moment, after a preview, as a batch that can be rolled back': [
    'POST /api/batches/:id/rollback',
    'POST /api/characters/bulk',
    'POST /api/languages/fold',
    'POST /api/media/bulk',
    'POST /api/tags/:id/replace',
    'POST /api/tags/bulk',
    'POST /api/translation-history/rollback',
  ],
  'is a choice of the caller alone, of which the last one counts': [
    'POST /api/auth/reset-password',
    'PUT /api/auth/password',
    'PUT /api/auth/preferences',
  ],
}

const versioned = [...routes].filter(([, route]) => route.versioned)

let people: People
beforeAll(async () => {
  people = await everybody()
})

test('every write names the version that it is based on, or there is a reason why not', () => {
  const writes = [...routes.values()].filter(
    ({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH',
  )
  const without = writes.filter((route) => !route.versioned).map(nameOf)
  expect(without.toSorted()).toEqual(Object.values(UNVERSIONED).flat().toSorted())
})

test.each(versioned)('%s is refused if it is based on another version than the stored one', async (name, route) => {
  const call = await aCall(name, route)
  const stale = await ask(route, call, { ...people.admin, headers: { 'if-match': '"999"' } })
  expect(stale).toMatchObject({ status: 412, body: { code: 'stale' } })
})

/** A call of an administrator, about something of theirs. */
async function aCall(name: string, route: Route): Promise<Given> {
  const { admin } = people
  const call = (await CALLS[name]?.(admin, admin)) ?? {}
  // The others only resolve.
  return route.path === '/api/comments/:id' ? { ...call, body: { text: 'Another one' } } : call
}
