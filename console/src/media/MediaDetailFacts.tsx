import type { Media } from '@mokuroku/contract/media'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { Languages } from '#parts/Languages.tsx'
import { AverageRating, StatusBadge, TypeBadge } from '#parts/MediaBadges.tsx'
import { TagChip } from '#parts/TagChip.tsx'
import { original } from '#parts/titles.ts'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import css from './MediaDetailFacts.module.css'

export function MediaDetailFacts({ media }: { media: Media }) {
  const { media: list, mediaDetail: texts } = useMessages()
  const language = useLanguage()
  const published = original(media.originalTitle)
  const { ratingCount, episodes, duration, tags } = media
  return (
    <Card title={texts.details}>
      <Languages {...media} field="title" texts={{ ...texts, noTexts: list.noTranslations }} />
      <Facts apart>
        {published && (
          <Fact name={texts.originalTitle} wide>
            <span lang={published.lang}>{published.text}</span>
          </Fact>
        )}
        <Fact name={texts.type}>
          <TypeBadge {...media} />
        </Fact>
        <Fact name={texts.status}>
          <StatusBadge {...media} />
        </Fact>
        <Fact name={texts.averageRating}>
          <AverageRating {...media} />
          {ratingCount > 0 && <span className={css.quiet}>{texts.ratings(ratingCount)}</span>}
        </Fact>
        <Fact name={texts.releaseDate}>{longDate(media.releaseDate, language, 'UTC')}</Fact>
        {Boolean(episodes) && <Fact name={texts.episodes}>{episodes}</Fact>}
        {Boolean(duration) && <Fact name={texts.duration}>{texts.minutes(duration ?? 0)}</Fact>}
        <Fact name={texts.created}>{longDate(media.createdAt, language)}</Fact>
        <Fact name={texts.updated}>{longDate(media.updatedAt, language)}</Fact>
        <Fact name={texts.tags} wide>
          {tags.length === 0 && <span className={css.quiet}>{texts.noTags}</span>}
          {tags.map((tag) => (
            <TagChip key={tag._id} tag={tag} />
          ))}
        </Fact>
      </Facts>
    </Card>
  )
}
