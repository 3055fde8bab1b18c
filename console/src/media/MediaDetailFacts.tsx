import type { Media } from '@mokuroku/contract/media'
import type { ReactNode } from 'react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { languagesOf, translated } from '#lib/text.ts'
import { AverageRating, StatusBadge, TypeBadge } from '#parts/MediaBadges.tsx'
import { TagChip } from '#parts/TagChip.tsx'
import { languageName, original } from '#parts/titles.ts'
import { Card } from '#ui/Card.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import css from './MediaDetailFacts.module.css'

export function MediaDetailFacts({ media }: { media: Media }) {
  const { mediaDetail: texts } = useMessages()
  const language = useLanguage()
  const published = original(media.originalTitle)
  const { ratingCount, episodes, duration, tags } = media
  return (
    <Card title={texts.details}>
      <Languages {...media} />
      <dl className={css.facts}>
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
      </dl>
    </Card>
  )
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? css.wide : undefined}>
      <dt className={css.name}>{name}</dt>
      <dd className={css.value}>{children}</dd>
    </div>
  )
}

/** Every language in which there is a text, one at a time; the console's own first. */
function Languages({ translations }: Pick<Media, 'translations'>) {
  const { media, mediaDetail: texts } = useMessages()
  const language = useLanguage()
  const codes = languagesOf(translations)
  if (codes.length === 0) return <p className={css.quiet}>{media.noTranslations}</p>
  const tabs = codes.map((code) => ({
    key: code,
    label: languageName(code, language),
    panel: (
      <div lang={code} className={css.text}>
        <p className={css.title}>{translations[code]?.title}</p>
        {translations[code]?.description ? (
          <p className={css.description}>{translations[code].description}</p>
        ) : (
          <p className={css.quiet} lang={language}>
            {texts.noDescription}
          </p>
        )}
      </div>
    ),
  }))
  const first = translated(translations, 'title', language) ?? translated(translations, 'description', language)
  return <Tabs label={texts.languages} tabs={tabs} first={first?.lang} />
}
