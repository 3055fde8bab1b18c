import type { Media } from '@mokuroku/contract/media'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { Aliases } from '#parts/Aliases.tsx'
import { capital, useLabels } from '#parts/labels.ts'
import { Languages } from '#parts/Languages.tsx'
import { AverageRating, StatusBadge, TypeBadge } from '#parts/MediaBadges.tsx'
import { TagChip } from '#parts/TagChip.tsx'
import { original } from '#parts/titles.ts'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Muted } from '#ui/layout.tsx'
import { mediaDetailTexts } from './detailTexts.ts'

export function MediaDetailFacts({ media }: { media: Media }) {
  const texts = mediaDetailTexts.use()
  const { noTranslations: noTexts } = useMessages().media
  const { fields: labels } = useLabels().Media
  const language = useLanguage()
  const published = original(media.originalTitle)
  const { ratingCount, episodes, duration, tags } = media
  return (
    <Card title={texts.details}>
      <Languages {...media} field="title" texts={{ ...texts, noTexts }} />
      <Facts apart>
        {published && (
          <Fact name={capital(labels.originalTitle)} wide>
            <span lang={published.lang}>{published.text}</span>
          </Fact>
        )}
        <Aliases names={media.aliases} label={capital(labels.aliases)} />
        <Fact name={capital(labels.mediaType)}>
          <TypeBadge {...media} />
        </Fact>
        <Fact name={capital(labels.isOngoing)}>
          <StatusBadge {...media} />
        </Fact>
        <Fact name={texts.averageRating}>
          <AverageRating {...media} />
          {ratingCount > 0 && <Muted inline>{texts.ratings(ratingCount)}</Muted>}
        </Fact>
        <Fact name={capital(labels.releaseDate)}>{longDate(media.releaseDate, language, 'UTC')}</Fact>
        {Boolean(episodes) && <Fact name={capital(labels.episodes)}>{episodes}</Fact>}
        {Boolean(duration) && <Fact name={texts.duration}>{texts.minutes(duration ?? 0)}</Fact>}
        <Fact name={texts.created}>{longDate(media.createdAt, language)}</Fact>
        <Fact name={texts.updated}>{longDate(media.updatedAt, language)}</Fact>
        <Fact name={capital(labels.tags)} wide>
          {tags.length === 0 && <Muted inline>{texts.noTags}</Muted>}
          {tags.map((tag) => (
            <TagChip key={tag._id} tag={tag} leadsTo="Media" />
          ))}
        </Fact>
      </Facts>
    </Card>
  )
}
