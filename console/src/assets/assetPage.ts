import { AssetQuery, assetsApi } from '@mokuroku/contract/assets'
import { page as pageOf } from '@mokuroku/contract/common'
import * as z from 'zod/mini'
import { qList } from '#api/query.ts'

/** Assets per page. */
export const LIMIT = 20

/** What the address of the list may hold. */
const { type: Type, status: Status, search: Search, unused: Use } = AssetQuery.shape
export const ListQuery = z.object({ page: pageOf(LIMIT).page, type: Type, status: Status, search: Search, unused: Use })

/** What the list asks for a page. */
export const assetPage = ({ page, ...filters }: z.output<typeof ListQuery>) =>
  qList(assetsApi.list, { query: { ...filters, limit: LIMIT, skip: (page - 1) * LIMIT } })
