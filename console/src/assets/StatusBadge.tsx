import type { AssetStatus } from '@mokuroku/contract/assets'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { assetTexts } from './texts.ts'

const TONES: Record<AssetStatus, Tone> = {
  READY: 'success',
  PENDING: 'neutral',
  PROCESSING: 'warning',
  ERROR: 'danger',
}

export function StatusBadge({ status }: { status: AssetStatus }) {
  const texts = assetTexts.use()
  return (
    <Badge dot tone={TONES[status]}>
      {texts.statuses[status]}
    </Badge>
  )
}
