import type { Me } from '@mokuroku/contract/auth'
import { newTier, type Permissions, type Tier } from '@mokuroku/contract/tiers'
import { expect, test } from 'vitest'
import { rightsOf } from './rights.ts'

const granting = (more: Partial<Permissions>): Permissions => ({ ...newTier().permissions, ...more })
const aTier = (name: string, requiredScore: number, more: Partial<Permissions>, isActive = true): Tier => ({
  _id: name,
  version: 1,
  createdAt: '',
  updatedAt: '',
  description: '',
  userCount: 0,
  name,
  requiredScore,
  isActive,
  permissions: granting(more),
})
const me = (more: Partial<Me> = {}): Me => ({
  _id: 'me',
  username: 'Rin',
  email: 'rin@example.org',
  role: 'user',
  avatar: '',
  scores: 100,
  tier: 'Newcomer',
  permissions: granting({}),
  preferences: { columns: {} },
  ...more,
})
const ruling = (rights: ReturnType<typeof rightsOf>, name: string) => rights.find(({ right }) => right === name)

test('a missing permission names the next tier that includes it', () => {
  const rights = rightsOf(me(), [
    aTier('Keeper', 5000, { canCreateMedia: true, canEditAnyContent: true }),
    aTier('Retired', 500, { canCreateMedia: true }, false),
    aTier('Reader', 1000, { canCreateMedia: true }),
    aTier('Below', 50, { canCreateTag: true }),
  ])
  expect(ruling(rights, 'canCreateMedia')).toMatchObject({ has: false, next: { name: 'Reader', requiredScore: 1000 } })
  expect(ruling(rights, 'canEditAnyContent')).toMatchObject({ has: false, next: { name: 'Keeper' } })
  expect(ruling(rights, 'canCreateTag')).toEqual({ right: 'canCreateTag', has: false, next: undefined })
  expect(ruling(rights, 'canRateContent')).toEqual({ right: 'canRateContent', has: true })
  expect(ruling(rights, 'maxUploadSizeMB')).toEqual({ right: 'maxUploadSizeMB', has: 2 })
})

test('a permission that depends on a role names the required role', () => {
  expect(ruling(rightsOf(me(), []), 'others')).toEqual({ right: 'others', has: false, needs: 'moderator' })
  const moderator = rightsOf(me({ role: 'moderator' }), [])
  expect(ruling(moderator, 'others')).toMatchObject({ has: true })
  expect(ruling(moderator, 'accounts')).toEqual({ right: 'accounts', has: false, needs: 'admin' })
  expect(ruling(rightsOf(me({ role: 'admin' }), []), 'accounts')).toMatchObject({ has: true })
})

test('custom permissions are listed by their names', () => {
  const permissions = granting({ customPermissions: { mayImport: false, mayExport: true } })
  const tiers = [aTier('Keeper', 900, { customPermissions: { mayImport: true } })]
  const rights = rightsOf(me({ permissions }), tiers)
  expect(ruling(rights, 'mayExport')).toEqual({ right: 'mayExport', has: true })
  expect(ruling(rights, 'mayImport')).toMatchObject({ has: false, next: { name: 'Keeper' } })
})
