import { AUDIT_ACTIONS } from '@mokuroku/contract/audit'
import { expect, test } from 'vitest'
import { foldedIn } from './auditSummary.ts'

test('a count of changed or deleted items is not read as a count of coalesced events', () => {
  const counting = Object.values(AUDIT_ACTIONS)
    .flat()
    .filter((action) => foldedIn({ action, details: { count: 12 } }) === 0)
  expect(counting).toEqual([
    'trash.emptied',
    'trash.versions',
    'trash.activities',
    'history.rolledBack',
    'audit.deleted',
  ])
  expect(foldedIn({ action: 'signIn.failed', details: { count: 12 } })).toBe(12)
  expect(foldedIn({ action: 'signIn.failed', details: {} })).toBe(0)
})
