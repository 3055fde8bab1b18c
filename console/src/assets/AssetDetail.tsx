import { type Asset, assetsApi, FILE_FIELDS } from '@mokuroku/contract/assets'
import type { Response } from '@mokuroku/contract/route'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Download, Trash2 } from 'lucide-react'
import { fileUrl } from '#api/host.ts'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import { guessLanguage } from '#lib/text.ts'
import { SetCover } from '#parts/cover/SetCover.tsx'
import { DetailColumns, DetailFrame } from '#parts/DetailFrame.tsx'
import { Neighbours, type PagedList, rowsFrom } from '#parts/Neighbours.tsx'
import { NotRefreshed } from '#parts/NotRefreshed.tsx'
import { useBackTo } from '#parts/useBackTo.ts'
import type { Revised } from '#parts/history/revised.ts'
import { WithHistory } from '#parts/history/WithHistory.tsx'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Stack } from '#ui/layout.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton, SkeletonLines } from '#ui/Skeleton.tsx'
import { AssetFacts } from './AssetFacts.tsx'
import { AssetUses } from './AssetUses.tsx'
import { AssetView } from './AssetView.tsx'
import { assetPage, LIMIT, ListQuery } from './assetPage.ts'
import { useDeleteAsset } from './deleteAsset.tsx'
import { assetRefetchInterval, ASSET_QUERY_OPTIONS } from './refetch.ts'
import { ReplaceFile, Replacement } from './ReplaceFile.tsx'
import { useAssetRights } from './rights.ts'
import { assetTexts } from './texts.ts'

const REVISED: Revised = {
  kind: 'Asset',
  written: ['filename'],
  together: { field: 'file', fields: FILE_FIELDS },
}

const LIST: PagedList<typeof ListQuery> = {
  query: ListQuery,
  pageOf: (state) => ({
    options: rowsFrom(assetPage(state), ({ data }: Response<typeof assetsApi.list>) => data),
    limit: LIMIT,
  }),
}

export function AssetDetail({ id }: { id: string }) {
  const texts = assetTexts.use()
  const asset = useQuery({
    ...q(assetsApi.find, { id }),
    ...ASSET_QUERY_OPTIONS,
    refetchInterval: ({ state }) => assetRefetchInterval(state.data && [state.data]),
    meta: { quiet: true },
  })
  return (
    <DetailFrame
      isRestorable
      query={asset}
      back={useBack()}
      texts={{ ...texts, failed: texts.failedDetails }}
      pending={<Pending />}
    >
      {(found) => <Found asset={found} query={asset} />}
    </DetailFrame>
  )
}

function Found({ asset, query }: { asset: Asset; query: UseQueryResult }) {
  const back = useBack()
  const navigate = useNavigate()
  const { noEdit } = useAssetRights()
  const { ask, question } = useDeleteAsset(() => navigate({ to: back.to, search: back.search }))
  return (
    <Page
      title={asset.filename}
      lang={guessLanguage(asset.filename)}
      back={back}
      actions={
        <>
          <Neighbours id={asset._id} list={LIST} to={(id) => screenOf('Asset', id)} />
          <Actions asset={asset} onDelete={() => ask(asset)} />
        </>
      }
    >
      <WithHistory revised={REVISED} id={asset._id} refusal={noEdit(asset.uploadedBy?._id)}>
        <DetailColumns>
          <div>
            <NotRefreshed query={query} />
            <Stack gap={4}>
              <Replacement asset={asset} />
              <AssetView key={asset.url.split('?')[0]} asset={asset} />
            </Stack>
          </div>
          <Stack gap={4}>
            <AssetFacts asset={asset} />
            <AssetUses id={asset._id} />
          </Stack>
        </DetailColumns>
      </WithHistory>
      {question}
    </Page>
  )
}

function Actions({ asset, onDelete }: { asset: Asset; onDelete: () => void }) {
  const texts = assetTexts.use()
  const { common } = useMessages()
  const { noEdit } = useAssetRights()
  const refusal = noEdit(asset.uploadedBy?._id)
  return (
    <>
      <Button icon={Trash2} reason={refusal} onClick={onDelete}>
        {common.delete}
      </Button>
      <ReplaceFile asset={asset} reason={refusal} />
      <SetCover asset={asset} />
      {asset.status === 'READY' ? (
        <a href={fileUrl(asset.url)} target="_blank" rel="noreferrer" className={buttonClass({ variant: 'primary' })}>
          <Download size={16} aria-hidden />
          {texts.download}
          <span className="sr-only">{texts.newTab}</span>
        </a>
      ) : (
        <Button variant="primary" icon={Download} reason={texts.notReady}>
          {texts.download}
        </Button>
      )}
    </>
  )
}

function Pending() {
  const texts = assetTexts.use()
  return (
    <Page title={texts.details} back={useBack()}>
      <p role="status" className="sr-only">
        {texts.loadingDetails}
      </p>
      <DetailColumns aria-hidden>
        <Card>
          <Skeleton height={360} />
        </Card>
        <Stack gap={4}>
          <Card>
            <SkeletonLines lines={6} height={28} />
          </Card>
        </Stack>
      </DetailColumns>
    </Page>
  )
}

function useBack() {
  const texts = assetTexts.use()
  return useBackTo('/assets', texts.back)
}
