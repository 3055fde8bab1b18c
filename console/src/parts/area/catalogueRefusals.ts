import type { Me } from '@mokuroku/contract/auth'
import type { Translated } from '@mokuroku/contract/kinds'
import { refusalOf } from '#parts/refusal.ts'
import type { Refusals, Stored } from './area.ts'

/** Refusals by the user's tier for a kind of the catalogue: creating, editing their own, editing any. */
export const catalogueRefusals = (me: Me, kind: Translated): Refusals<Pick<Stored, 'createdBy'>> => ({
  create: refusalOf(me, 'create', kind),
  edit: ({ createdBy }) => refusalOf(me, 'edit', kind, createdBy),
  delete: ({ createdBy }) => refusalOf(me, 'delete', kind, createdBy),
})
