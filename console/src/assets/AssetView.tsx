import { type Asset, assetsApi } from '@mokuroku/contract/assets'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert, FileMusic, FileX, LoaderCircle, RotateCw } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import { call } from '#api/call.ts'
import { localized } from '#i18n/errors.ts'
import { fileUrl } from '#api/host.ts'
import { q } from '#api/query.ts'
import { queryClient } from '#api/queryClient.ts'
import { useMessages } from '#i18n/messages.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Stack } from '#ui/layout.tsx'
import css from './AssetDetail.module.css'
import { useAssetRights } from './rights.ts'
import { assetTexts } from './texts.ts'

/** The asset itself: an image, a player, or the reason why it cannot be shown. */
export function AssetView({ asset }: { asset: Asset }) {
  const texts = assetTexts.use()
  const [broken, setBroken] = useState(false)
  const { type, status, url, preview, filename, dimensions } = asset
  if (status === 'ERROR') return <Broken asset={asset} />
  if (status !== 'READY') {
    return (
      <Card>
        <EmptyState icon={LoaderCircle} title={texts.processing} hint={texts.processingHint} />
      </Card>
    )
  }
  if (broken) {
    return (
      <Card>
        <EmptyState icon={FileX} title={texts.cannotShow} hint={texts.cannotShowHint} />
      </Card>
    )
  }
  return (
    <Card flush>
      <Stack gap={6} className={css.view} data-type={type}>
        {type === 'IMAGE' ? (
          <img
            src={fileUrl(preview ?? url)}
            alt={filename}
            className={css.picture}
            style={sizeOf(dimensions)}
            onError={() => setBroken(true)}
          />
        ) : (
          <Player asset={asset} onBroken={() => setBroken(true)} />
        )}
      </Stack>
    </Card>
  )
}

/**
 * Plays a recording. The URL of a private file changes while it is shown, and so does that of one that becomes private or
 * public. A new URL would begin from the start, so it is used only once the one being played is no longer valid.
 */
function Player({ asset: { _id, type, url, filename, dimensions }, onBroken }: { asset: Asset; onBroken: () => void }) {
  const [playing, setPlaying] = useState({ url, at: 0, isPaused: true })
  const onError = async ({ currentTarget: { currentTime, paused } }: SyntheticEvent<HTMLMediaElement>) => {
    const found = await queryClient
      .fetchQuery({ ...q(assetsApi.find, { id: _id }), staleTime: 0, meta: { quiet: true } })
      .catch(() => null)
    if (!found || found.url === playing.url) onBroken()
    else setPlaying({ url: found.url, at: currentTime, isPaused: paused })
  }
  const resume = ({ currentTarget: player }: SyntheticEvent<HTMLMediaElement>) => {
    player.currentTime = playing.at
    // Refused if the user has meanwhile paused it, or may not play it without a click.
    if (!playing.isPaused) player.play().catch(() => undefined)
  }
  const player = {
    src: fileUrl(playing.url),
    controls: true,
    preload: 'metadata',
    'aria-label': filename,
    onError: (event: SyntheticEvent<HTMLMediaElement>) => void onError(event),
    onLoadedMetadata: resume,
  }
  return type === 'VIDEO' ? (
    // Uploaded videos have no caption tracks.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video {...player} className={css.picture} style={sizeOf(dimensions)} />
  ) : (
    <>
      <FileMusic size={48} strokeWidth={1} aria-hidden />
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio {...player} className={css.sound} />
    </>
  )
}

/** The size of a picture before it has loaded, so that what follows does not move. */
const sizeOf = (dimensions: Asset['dimensions']) =>
  dimensions && {
    aspectRatio: `${dimensions.width} / ${dimensions.height}`,
    width: `min(${dimensions.width}px, var(--max-height) * ${dimensions.width / dimensions.height})`,
  }

function Broken({ asset: { _id, failure, uploadedBy } }: { asset: Asset }) {
  const texts = assetTexts.use()
  const { common } = useMessages()
  const { noEdit } = useAssetRights()
  const retry = useMutation({
    mutationFn: () => call(assetsApi.retry, { id: _id }),
    meta: { failure: texts.retryFailed },
  })
  return (
    <Card>
      <EmptyState alert icon={CircleAlert} title={texts.processingFailed} hint={failure && localized(failure)}>
        <Button icon={RotateCw} busy={retry.isPending} reason={noEdit(uploadedBy?._id)} onClick={() => retry.mutate()}>
          {common.retry}
        </Button>
      </EmptyState>
    </Card>
  )
}
