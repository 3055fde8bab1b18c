import type { Media } from '@mokuroku/contract/media'
import { fileUrl } from '#api/host.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { Cover } from '#parts/Cover.tsx'
import { AverageRating, StatusBadge, TypeBadge } from '#parts/MediaBadges.tsx'
import { original, useTitleOf } from '#parts/titles.ts'
import { Row } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './MediaDetailHero.module.css'
import { mediaDetailTexts } from './detailTexts.ts'

export function MediaDetailHero({ entity: media }: { entity: Media }) {
  const texts = mediaDetailTexts.use()
  const language = useLanguage()
  const title = useTitleOf()(media)
  const published = original(media.originalTitle, title)
  const { cover, ratingCount, releaseDate } = media
  return (
    <Row gap={6} align="end" className={css.hero} data-bare={!cover || undefined}>
      {cover && <img className={css.glow} src={fileUrl(cover.thumbnail ?? cover.url)} alt="" />}
      <Cover cover={cover} entity={media} size={cover ? 'hero' : 'card'} />
      <div className={css.text}>
        <div className={css.badges}>
          <TypeBadge {...media} />
          <StatusBadge {...media} />
        </div>
        <h1 className={css.title} lang={title.lang} title={title.text}>
          {title.text}
        </h1>
        {published && (
          <p className={css.original} lang={published.lang} title={published.text}>
            {published.text}
          </p>
        )}
        <p className={css.line}>
          <AverageRating {...media} />
          {ratingCount > 0 && <span>{texts.ratings(ratingCount)}</span>}
          <span>{longDate(releaseDate, language, 'UTC')}</span>
        </p>
      </div>
    </Row>
  )
}

/** Skeleton of the whole page. */
export function MediaDetailSkeleton({ loading }: { loading: string }) {
  return (
    <>
      <div aria-hidden>
        <Row gap={6} align="end" className={css.hero}>
          <span className={css.coverSkeleton}>
            <Skeleton height="100%" />
          </span>
          <div className={css.text}>
            <Skeleton width={150} height={22} />
            <Skeleton width="min(420px, 100%)" height={32} />
            <Skeleton width="min(240px, 70%)" height={18} />
          </div>
        </Row>
        <div className={css.skeleton}>
          <Skeleton height={320} />
          <Skeleton height={320} />
        </div>
      </div>
      <p role="status" className="sr-only">
        {loading}
      </p>
    </>
  )
}
