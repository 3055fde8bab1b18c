import { type Asset, assetsApi } from '@mokuroku/contract/assets'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { ArrowLeft, CircleAlert, Download, SearchX, Trash2 } from 'lucide-react'
import { isNotFound, messageOf } from '#api/errors.ts'
import { fileUrl } from '#api/host.ts'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { writingOf } from '#lib/text.ts'
import { parseSearch } from '#lib/urlState.ts'
import { Button, buttonLook } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton, SkeletonLines } from '#ui/Skeleton.tsx'
import css from './AssetDetail.module.css'
import { AssetFacts } from './AssetFacts.tsx'
import { AssetUses } from './AssetUses.tsx'
import { AssetView } from './AssetView.tsx'
import { useDeleteAsset } from './deleteAsset.tsx'
import { freshness, FRESH_FOR } from './fresh.ts'
import { ReplaceFile } from './ReplaceFile.tsx'
import { useAssetRights } from './rights.ts'

export function AssetDetail() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  // Its failures are told by the views below, in full.
  const asset = useQuery({
    ...q(assetsApi.find, { id }),
    ...FRESH_FOR,
    refetchInterval: ({ state }) => freshness(state.data && [state.data]),
    meta: { quiet: true },
  })
  if (asset.data) return <Found key={id} asset={asset.data} />
  if (asset.isPending) return <Pending />
  if (isNotFound(asset.error)) return <NotFound />
  return <Failed error={asset.error} busy={asset.isFetching} retry={() => void asset.refetch()} />
}

function Found({ asset }: { asset: Asset }) {
  const back = useBack()
  const navigate = useNavigate()
  const { ask, question } = useDeleteAsset(() => navigate({ to: back.to, search: back.search }))
  return (
    <Page
      title={asset.filename}
      lang={writingOf(asset.filename)}
      back={back}
      actions={<Actions asset={asset} onDelete={() => ask(asset)} />}
    >
      <div className={css.columns}>
        <AssetView key={asset.url.split('?')[0]} asset={asset} />
        <div className={css.column}>
          <AssetFacts asset={asset} />
          <AssetUses id={asset._id} />
        </div>
      </div>
      {question}
    </Page>
  )
}

function Actions({ asset, onDelete }: { asset: Asset; onDelete: () => void }) {
  const { assets: texts, common } = useMessages()
  const { noEdit } = useAssetRights()
  const refusal = noEdit(asset.uploadedBy?._id)
  return (
    <>
      <Button icon={Trash2} reason={refusal} onClick={onDelete}>
        {common.delete}
      </Button>
      <ReplaceFile asset={asset} reason={refusal} />
      {asset.status === 'READY' ? (
        <a href={fileUrl(asset.url)} target="_blank" rel="noreferrer" className={buttonLook({ variant: 'primary' })}>
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
  const { assets: texts } = useMessages()
  return (
    <Page title={texts.details} back={useBack()}>
      <p role="status" className="sr-only">
        {texts.loadingDetails}
      </p>
      <div className={css.columns} aria-hidden>
        <Card>
          <Skeleton height={360} />
        </Card>
        <div className={css.column}>
          <Card>
            <SkeletonLines lines={6} height={28} />
          </Card>
        </div>
      </div>
    </Page>
  )
}

function NotFound() {
  const { assets: texts } = useMessages()
  return (
    <Page title={texts.notFound}>
      <Card>
        <EmptyState icon={SearchX} title={texts.notFoundHint}>
          <BackToList />
        </EmptyState>
      </Card>
    </Page>
  )
}

function Failed({ error, busy, retry }: { error: Error; busy: boolean; retry: () => void }) {
  const { assets: texts, common } = useMessages()
  return (
    <Page title={common.error}>
      <Card>
        <EmptyState alert icon={CircleAlert} title={texts.failedDetails} hint={messageOf(error)}>
          <Button variant="primary" busy={busy} onClick={retry}>
            {common.retry}
          </Button>
          <BackToList />
        </EmptyState>
      </Card>
    </Page>
  )
}

function BackToList() {
  const { to, search, label } = useBack()
  return (
    <Link to={to} search={search} className={buttonLook()}>
      <ArrowLeft size={16} aria-hidden />
      {label}
    </Link>
  )
}

/** Back to the list, with the filters and the page it had when this was opened from it. */
function useBack() {
  const { assets: texts } = useMessages()
  const list = useLocation({ select: ({ state }) => state.list ?? '' })
  return { to: '/assets', search: parseSearch(list), label: texts.back }
}
