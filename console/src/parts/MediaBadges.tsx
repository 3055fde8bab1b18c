import type { MediaRow } from '@mokuroku/contract/media'
import { Star } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Muted } from '#ui/layout.tsx'
import css from './MediaBadges.module.css'
import { mediaTypes } from './mediaTypes.ts'

const TONES: Record<MediaRow['mediaType'], Tone> = { ANIME: 'accent', MANGA: 'plum', NOVEL: 'neutral' }

export function TypeBadge({ mediaType }: Pick<MediaRow, 'mediaType'>) {
  return <Badge tone={TONES[mediaType]}>{mediaTypes.use()[mediaType]}</Badge>
}

export function StatusBadge({ isOngoing, mediaType }: Pick<MediaRow, 'isOngoing' | 'mediaType'>) {
  const { media } = useMessages()
  return (
    <Badge dot tone={isOngoing ? 'warning' : 'success'}>
      {isOngoing ? media.ongoingOf[mediaType] : media.completed}
    </Badge>
  )
}

/** A star and the average to one decimal; 'No ratings' without any. */
export function AverageRating({ averageRating, ratingCount }: Pick<MediaRow, 'averageRating' | 'ratingCount'>) {
  const { media } = useMessages()
  if (ratingCount === 0) return <Muted inline>{media.noRatings}</Muted>
  return (
    <span className={css.rating}>
      <Star size={14} aria-hidden className={css.star} />
      {averageRating.toFixed(1)}
    </span>
  )
}

/** The badge of one score: success from 8, warning from 5, danger below. */
export function ScoreBadge({ score }: { score: number }) {
  return <Badge tone={score >= 8 ? 'success' : score >= 5 ? 'warning' : 'danger'}>{score.toFixed(1)}</Badge>
}
