import { AssetQuery, assetsApi } from '@mokuroku/contract/assets'
import { page as pageOf } from '@mokuroku/contract/common'
import * as z from 'zod/mini'
import { qList } from '#api/query.ts'

/** Assets per page. */
export const LIMIT = 20

/** Query parameters in the URL of the list. */
const { type: Type, status: Status, search: Search, unused: Use } = AssetQuery.shape
export const ListQuery = z.object({ page: pageOf(LIMIT).page, type: Type, status: Status, search: Search, unused: Use })

/** Query options for one page of the list. */
export const assetPage = ({ page, ...filters }: z.output<typeof ListQuery>) =>
  qList(assetsApi.list, { query: { ...filters, limit: LIMIT, skip: (page - 1) * LIMIT } })
