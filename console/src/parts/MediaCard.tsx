import type { MediaRow } from '@mokuroku/contract/media'
import { Row, Truncate } from '#ui/layout.tsx'
import { Cover } from './Cover.tsx'
import { StatusBadge, TypeBadge } from './MediaBadges.tsx'
import css from './MediaCard.module.css'
import { MediaLink } from './MediaLink.tsx'
import { original, useTitleOf } from './titles.ts'

/** A media item in a grid: cover, title, original title, badges. The whole card is a link. */
export function MediaCard({ media }: { media: MediaRow }) {
  const title = useTitleOf()(media)
  const published = original(media.originalTitle, title)
  return (
    <Row as="article" gap={3} align="stretch" className={css.card}>
      <Cover cover={media.cover} entity={media} size="card" />
      <div className={css.text}>
        <MediaLink
          id={media._id}
          className={`line-clamp stretched-link ${css.title}`}
          lang={title.lang}
          title={title.text}
        >
          {title.text}
        </MediaLink>
        {published && (
          <Truncate className={css.original} lang={published.lang}>
            {published.text}
          </Truncate>
        )}
        <span className={css.badges}>
          <TypeBadge {...media} />
          <StatusBadge {...media} />
        </span>
      </div>
    </Row>
  )
}
