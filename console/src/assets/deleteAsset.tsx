import { type Asset, assetsApi } from '@mokuroku/contract/assets'
import { useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { qEdit } from '#api/query.ts'
import { guessLanguage } from '#lib/text.ts'
import { UsedIn } from '#parts/UsedIn.tsx'
import { useDelete } from '#parts/useDelete.tsx'
import { assetTexts } from './texts.ts'

/** Deletes an asset; the confirmation dialog shows where it is used. */
export function useDeleteAsset(onDone?: () => unknown) {
  const texts = assetTexts.use()
  return useDelete<Asset>({
    texts,
    nameOf: ({ filename }) => ({ text: filename, lang: guessLanguage(filename) }),
    remove: ({ _id, version }) => call(assetsApi.remove, { id: _id, base: version }),
    restore: (id) => call(assetsApi.restore, { id }),
    onDone,
    more: ({ _id }) => <Uses id={_id} />,
  })
}

function Uses({ id }: { id: string }) {
  return <UsedIn uses={useQuery(qEdit(assetsApi.uses, { id }))} />
}
