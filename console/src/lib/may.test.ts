import type { Me } from '@mokuroku/contract/auth'
import { newTier } from '@mokuroku/contract/tiers'
import { expect, test } from 'vitest'
import { lacks } from './may.ts'

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
    expect(lacks(me(role), 'create', 'Media')).toBeUndefined()
    expect(lacks(me(role), 'delete', 'Tag', 'somebody')).toBeUndefined()
  }
})

test('a user can create what the tier permits', () => {
  expect(lacks(me('user'), 'create', 'Media')).toBe('canCreateMedia')
  expect(lacks(me('user', { canCreateMedia: true }), 'create', 'Media')).toBeUndefined()
  expect(lacks(me('user', { canCreateMedia: true }), 'create', 'Tag')).toBe('canCreateTag')
})

test('a user can edit and delete their own content with canEditOwnContent, all with canEditAnyContent', () => {
  const own = me('user', { canEditOwnContent: true })
  expect(lacks(own, 'edit', 'Media', 'me')).toBeUndefined()
  expect(lacks(own, 'delete', 'Media', 'somebody')).toBe('canEditAnyContent')
  expect(lacks(own, 'edit', 'Media')).toBe('canEditAnyContent')
  expect(lacks(me('user'), 'edit', 'Media', 'me')).toBe('canEditOwnContent')
  expect(lacks(me('user', { canEditAnyContent: true }), 'delete', 'Media', 'somebody')).toBeUndefined()
})

test('a user can roll back their own text changes, and those of others with canEditAnyContent', () => {
  expect(lacks(me('user'), 'rollback', 'Tag', 'me')).toBeUndefined()
  expect(lacks(me('user', { canEditOwnContent: true }), 'rollback', 'Tag', 'somebody')).toBe('canEditAnyContent')
  expect(lacks(me('user', { canEditAnyContent: true }), 'rollback', 'Tag', 'somebody')).toBeUndefined()
  expect(lacks(me('moderator'), 'rollback', 'Tag', 'somebody')).toBeUndefined()
})
