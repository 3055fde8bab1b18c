import { type Asset, assetsApi } from '@mokuroku/contract/assets'
import { useMutation } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { call } from '#api/call.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { fileSize } from '#lib/sizes.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { UserLink } from '#parts/UserLink.tsx'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Muted } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import css from './AssetDetail.module.css'
import { useAssetRights } from './rights.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { assetTexts } from './texts.ts'

export function AssetFacts({ asset }: { asset: Asset }) {
  const texts = assetTexts.use()
  const language = useLanguage()
  const { type, status, mimeType, size, dimensions, duration, keepsMetadata, uploadedBy, createdAt, updatedAt } = asset
  return (
    <Card title={texts.details}>
      <Facts>
        <Fact name={texts.status}>
          <StatusBadge status={status} />
        </Fact>
        <Fact name={texts.type}>{texts.types[type]}</Fact>
        <Fact name={texts.mimeType}>
          <code className={css.code}>{mimeType}</code>
        </Fact>
        <Fact name={texts.size}>{fileSize(size)}</Fact>
        {dimensions && (
          <Fact name={texts.dimensions}>
            {dimensions.width} × {dimensions.height}
          </Fact>
        )}
        {duration !== undefined && <Fact name={texts.duration}>{clock(duration)}</Fact>}
        {keepsMetadata !== undefined && (
          <Fact name={texts.metadata} wide={keepsMetadata}>
            {keepsMetadata ? <Badge tone="warning">{texts.metadataKept}</Badge> : texts.metadataRemoved}
            {keepsMetadata && <Muted className={css.note}>{texts.metadataKeptHint}</Muted>}
          </Fact>
        )}
        <Fact name={texts.visibility} wide>
          <Visibility asset={asset} />
        </Fact>
        <Fact name={texts.uploadedBy} wide>
          {uploadedBy ? (
            <>
              <Avatar name={uploadedBy.username} url={uploadedBy.avatar || undefined} />
              <UserLink {...uploadedBy} />
            </>
          ) : (
            texts.system
          )}
        </Fact>
        <Fact name={texts.uploaded} wide>
          {longDateTime(createdAt, language)}
        </Fact>
        <Fact name={texts.modified} wide>
          {longDateTime(updatedAt, language)}
        </Fact>
      </Facts>
    </Card>
  )
}

function Visibility({ asset: { _id, version, isPublic, uploadedBy } }: { asset: Asset }) {
  const texts = assetTexts.use()
  const { noEdit } = useAssetRights()
  const toggle = useMutation({
    mutationFn: () => call(assetsApi.update, { id: _id, body: { isPublic: !isPublic }, base: version }),
    meta: { failure: texts.updateFailed },
    onSuccess: (changedAsset) => {
      const assets = assetTexts.get()
      toast.success(changedAsset.isPublic ? assets.nowPublic : assets.nowPrivate)
    },
  })
  return (
    <>
      <Badge tone={isPublic ? 'accent' : 'neutral'}>{isPublic ? texts.public : texts.private}</Badge>
      <Button
        size="small"
        icon={isPublic ? EyeOff : Eye}
        busy={toggle.isPending}
        reason={noEdit(uploadedBy?._id)}
        onClick={() => toggle.mutate()}
      >
        {isPublic ? texts.makePrivate : texts.makePublic}
      </Button>
    </>
  )
}

/** Formats seconds as a player does: 1:05, 1:02:03. */
function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const end = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${end}` : `${minutes}:${end}`
}
