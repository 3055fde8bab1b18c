import { type Asset, assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { mediaApi } from '@mokuroku/contract/media'
import { searchApi } from '@mokuroku/contract/search'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { writingOf } from '#lib/text.ts'
import { UsedIn } from '#parts/UsedIn.tsx'
import { useDelete } from '#parts/useDelete.tsx'
import { assetTexts } from './texts.ts'

/** What shows an asset, or counts it. */
export const SHOWN_BY = [
  assetsApi.list,
  assetsApi.find,
  mediaApi.list,
  mediaApi.find,
  charactersApi.list,
  charactersApi.find,
  searchApi.search,
  dashboardApi.stats,
  dashboardApi.recentActivities,
]

/** Deleting an asset: the question says where it is used. */
export function useDeleteAsset(onDone?: () => unknown) {
  const texts = assetTexts.use()
  return useDelete<Asset>({
    texts,
    nameOf: ({ filename }) => ({ text: filename, lang: writingOf(filename) }),
    remove: ({ _id, version }) => call(assetsApi.remove, { id: _id, base: version }),
    restore: (id) => call(assetsApi.restore, { id }),
    shownBy: SHOWN_BY,
    onDone,
    more: ({ _id }) => <Uses id={_id} />,
  })
}

function Uses({ id }: { id: string }) {
  return <UsedIn uses={useQuery({ ...q(assetsApi.uses, { id }), staleTime: 0, meta: { quiet: true } })} />
}
