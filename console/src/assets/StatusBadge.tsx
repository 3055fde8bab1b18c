import type { AssetStatus } from '@mokuroku/contract/assets'
import { useMessages } from '#i18n/messages.ts'
import { Badge, type Tone } from '#ui/Badge.tsx'

const TONES: Record<AssetStatus, Tone> = {
  READY: 'success',
  PENDING: 'neutral',
  PROCESSING: 'warning',
  ERROR: 'danger',
}

export function StatusBadge({ status }: { status: AssetStatus }) {
  const { assets: texts } = useMessages()
  return (
    <Badge dot tone={TONES[status]}>
      {texts.statuses[status]}
    </Badge>
  )
}
