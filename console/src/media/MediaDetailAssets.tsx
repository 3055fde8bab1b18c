import { type Asset, assetsApi } from '@mokuroku/contract/assets'
import type { Media } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { FileImage, FileMusic, FileVideo, Images } from 'lucide-react'
import { useState } from 'react'
import { fileUrl } from '#api/host.ts'
import { q } from '#api/query.ts'
import { fileSize } from '#lib/sizes.ts'
import { coverTexts } from '#parts/cover/texts.ts'
import { coverIdOf, useSetCover } from '#parts/cover/useSetCover.ts'
import { useRefusal } from '#parts/refusal.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './MediaDetail.module.css'
import { mediaDetailTexts } from './detailTexts.ts'

const ICONS = { IMAGE: FileImage, VIDEO: FileVideo, AUDIO: FileMusic }

export function MediaDetailAssets({ media }: { media: Media }) {
  const texts = mediaDetailTexts.use()
  const relatedTo = JSON.stringify({ model: 'MEDIA', id: media._id })
  // The first 10 public assets that are ready.
  const query = { relatedTo, limit: 10, skip: 0, isPublic: 'true', status: 'READY' } as const
  const assets = useQuery(q(assetsApi.list, { query }))
  const skeleton = (
    <div className={css.assets}>
      {[0, 1, 2, 3].map((tile) => (
        <Skeleton key={tile} height={148} />
      ))}
    </div>
  )
  return (
    <Card title={texts.assets} count={assets.data?.pagination.total}>
      <Loaded query={assets} skeleton={skeleton} failed={texts.assetsFailed}>
        {({ data, pagination }) =>
          data.length === 0 ? (
            <EmptyState icon={Images} title={texts.assetsEmpty} />
          ) : (
            <>
              <ul className={css.assets}>
                {data.map((asset) => (
                  <AssetTile key={asset._id} asset={asset} media={media} />
                ))}
              </ul>
              {pagination.total > data.length && (
                <p className={css.more}>{texts.firstOf(data.length, pagination.total)}</p>
              )}
            </>
          )
        }
      </Loaded>
    </Card>
  )
}

function AssetTile({ asset, media }: { asset: Asset; media: Media }) {
  const { type, filename, url, thumbnail, size } = asset
  const [broken, setBroken] = useState(false)
  const Icon = ICONS[type]
  return (
    <li>
      <a className={css.asset} href={fileUrl(url)} target="_blank" rel="noreferrer">
        {type === 'IMAGE' && !broken ? (
          <img
            className={css.picture}
            src={fileUrl(thumbnail ?? url)}
            alt=""
            loading="lazy"
            onError={() => setBroken(true)}
          />
        ) : (
          <span className={css.picture}>
            <Icon size={28} strokeWidth={1.5} aria-hidden />
          </span>
        )}
        <span className={css.filename} title={filename}>
          {filename}
        </span>
        <span className={css.quiet}>{fileSize(size)}</span>
      </a>
      {type === 'IMAGE' && <AsCover asset={asset} media={media} />}
    </li>
  )
}

/** Sets an image as the cover of the media item, or shows that it is the cover. */
function AsCover({ asset: { _id, filename }, media }: { asset: Asset; media: Media }) {
  const texts = coverTexts.use()
  const refusalOf = useRefusal()
  const { set, isSetting } = useSetCover()
  if (coverIdOf(media) === _id) return <Badge tone="accent">{texts.isCover}</Badge>
  return (
    <Button
      size="small"
      variant="quiet"
      busy={isSetting}
      aria-label={texts.setOf(filename)}
      reason={refusalOf('edit', 'Media', media.createdBy)}
      onClick={() => set(media, _id)}
    >
      {texts.set}
    </Button>
  )
}
