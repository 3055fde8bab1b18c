import type { Asset } from '@mokuroku/contract/assets'
import { Link } from '@tanstack/react-router'
import { Eye, EyeOff, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { fileSize } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { SetCover } from '#parts/cover/SetCover.tsx'
import { buttonClass, IconButton } from '#ui/Button.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import shared from '#parts/area/card.module.css'
import table from '#ui/Table.module.css'
import css from './AssetCard.module.css'
import { AssetPicture } from './AssetPicture.tsx'
import { useAssetRights } from './rights.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { assetTexts } from './texts.ts'

interface Props {
  asset: Asset
  onDelete: (asset: Asset) => void
}

/** An asset in the grid. The whole card links to its detail screen; the action buttons are above the link. */
export function AssetCard({ asset, onDelete }: Props) {
  const texts = assetTexts.use()
  const language = useLanguage()
  const { _id, filename, size, createdAt, dimensions, status, isPublic } = asset
  return (
    <Stack as="li" className={`${shared.card} ${css.card}`} data-list-row>
      <AssetPicture asset={asset} />
      <div className={css.texts}>
        <AssetLink
          id={_id}
          className={`line-clamp stretched-link ${shared.name}`}
          lang={guessLanguage(filename)}
          title={filename}
        >
          {filename}
        </AssetLink>
        <Row as="p" align="stretch" wrap className={css.facts}>
          <span>{fileSize(size)}</span>
          {dimensions && (
            <span>
              {dimensions.width} × {dimensions.height}
            </span>
          )}
        </Row>
        <Row as="p" align="stretch" wrap className={css.facts}>
          {longDate(createdAt, language)}
        </Row>
      </div>
      <div className={css.foot}>
        <StatusBadge status={status} />
        {!isPublic && (
          <span className={css.private} title={texts.private}>
            <EyeOff size={14} aria-hidden />
            <span className="sr-only">{texts.private}</span>
          </span>
        )}
        <Actions asset={asset} onDelete={onDelete} />
      </div>
    </Stack>
  )
}

function Actions({ asset, onDelete }: Props) {
  const texts = assetTexts.use()
  const { noEdit } = useAssetRights()
  const { _id, filename, uploadedBy } = asset
  const className = `${buttonClass({ variant: 'quiet', size: 'small', icon: true })} ${css.action}`
  return (
    <span className={`${css.actions} ${table.dimmed}`}>
      <AssetLink id={_id} className={className} aria-label={texts.view(filename)} title={texts.view(filename)}>
        <Eye size={15} aria-hidden />
      </AssetLink>
      <SetCover asset={asset} small className={css.action} />
      <IconButton
        size="small"
        icon={Trash2}
        destructive
        label={texts.delete(filename)}
        reason={noEdit(uploadedBy?._id)}
        className={css.action}
        onClick={() => onDelete(asset)}
      />
    </span>
  )
}

function AssetLink({ id, ...props }: Omit<ComponentProps<'a'>, 'href' | 'ref'> & { id: string }) {
  return <Link to={`/assets/${id}`} {...props} />
}

export function AssetCardSkeleton() {
  return (
    <Stack className={`${shared.card} ${css.card}`}>
      <span className={css.pictureSkeleton} />
      <div className={css.texts}>
        <Skeleton width="80%" height={18} />
        <Skeleton width="60%" height={12} />
        <Skeleton width="50%" height={12} />
      </div>
      <div className={css.foot}>
        <Skeleton width={64} height={20} />
      </div>
    </Stack>
  )
}
