import { AuditQuery } from '@mokuroku/contract/audit'
import * as z from 'zod/mini'

/** What the address of the list may hold. */
export const ListQuery = z.omit(AuditQuery, { limit: true })
export type AuditFilterState = z.output<typeof ListQuery>
