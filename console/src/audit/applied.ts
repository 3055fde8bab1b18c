import { AuditQuery } from '@mokuroku/contract/audit'
import * as z from 'zod/mini'

/** Query parameters in the URL of the list. */
export const ListQuery = z.omit(AuditQuery, { limit: true })
export type AuditFilterState = z.output<typeof ListQuery>
