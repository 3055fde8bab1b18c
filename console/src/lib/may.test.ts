import type { Me } from '@mokuroku/contract/auth'
import { newTier } from '@mokuroku/contract/tiers'
import { expect, test } from 'vitest'
import { missingCapability } from './may.ts'

const me = (role: Me['role'], granted: Partial<Me['permissions']> = {}): Me => ({
  _id: 'me',
  username: 'mori',
  email: 'mori@example.org',
  role,
  avatar: '',
  scores: 0,
  tier: 'Reader',
  permissions: { ...newTier().permissions, ...granted },
  preferences: { columns: {} },
})

test('admins and moderators lack no permission', () => {
  for (const role of ['admin', 'moderator'] as const) {
    expect(missingCapability(me(role), 'create', 'Media')).toBeUndefined()
    expect(missingCapability(me(role), 'delete', 'Tag', 'somebody')).toBeUndefined()
  }
})

test('a user can create what the tier permits', () => {
  expect(missingCapability(me('user'), 'create', 'Media')).toBe('canCreateMedia')
  expect(missingCapability(me('user', { canCreateMedia: true }), 'create', 'Media')).toBeUndefined()
  expect(missingCapability(me('user', { canCreateMedia: true }), 'create', 'Tag')).toBe('canCreateTag')
})

test('a user can edit and delete their own content with canEditOwnContent, all with canEditAnyContent', () => {
  const own = me('user', { canEditOwnContent: true })
  expect(missingCapability(own, 'edit', 'Media', 'me')).toBeUndefined()
  expect(missingCapability(own, 'delete', 'Media', 'somebody')).toBe('canEditAnyContent')
  expect(missingCapability(own, 'edit', 'Media')).toBe('canEditAnyContent')
  expect(missingCapability(me('user'), 'edit', 'Media', 'me')).toBe('canEditOwnContent')
  for (const owner of ['me', 'somebody'])
    expect(missingCapability(me('user', { canEditAnyContent: true }), 'delete', 'Media', owner)).toBeUndefined()
})

test('a user can roll back their own text changes, and those of others with canEditAnyContent', () => {
  expect(missingCapability(me('user'), 'rollback', 'Tag', 'me')).toBeUndefined()
  expect(missingCapability(me('user', { canEditOwnContent: true }), 'rollback', 'Tag', 'somebody')).toBe(
    'canEditAnyContent',
  )
  expect(missingCapability(me('user', { canEditAnyContent: true }), 'rollback', 'Tag', 'somebody')).toBeUndefined()
  expect(missingCapability(me('moderator'), 'rollback', 'Tag', 'somebody')).toBeUndefined()
})
