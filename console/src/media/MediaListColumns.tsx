import type { MediaRow, MediaSort } from '@mokuroku/contract/media'
import { longDate, shortDate } from '#lib/dates.ts'
import type { ColumnsProps } from '#parts/area/area.ts'
import { Cover } from '#parts/Cover.tsx'
import { AverageRating, StatusBadge, TypeBadge } from '#parts/MediaBadges.tsx'
import { LanguageMarks } from '#parts/marks/LanguageMarks.tsx'
import { MediaLink } from '#parts/MediaLink.tsx'
import { original, useTitleOf } from '#parts/titles.ts'
import { Row, Stack, Truncate } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { Column, Sort } from '#ui/Table.tsx'
import css from './MediaList.module.css'
import { mediaTexts } from './texts.ts'

type Sorted = 'releaseDate' | 'averageRating'
type Ordered = { sort?: MediaSort | undefined }

/** The columns of /media. */
export function mediaColumns({ state: { sort }, onState, language }: ColumnsProps<Ordered>) {
  const { columns } = mediaTexts.in(language)
  const onSort = (next: MediaSort | undefined) => onState({ sort: next })
  const sortBy = (column: Sorted): Sort => {
    if (sort === column) return { order: 'ascending', onPress: () => onSort(undefined) }
    if (sort === `-${column}`) return { order: 'descending', onPress: () => onSort(column) }
    return { order: 'none', onPress: () => onSort(`-${column}`) }
  }
  return [
    {
      key: 'title',
      head: columns.title,
      cell: (media) => <TitleCell media={media} />,
      skeleton: (
        <Row as="span" gap={3}>
          <Skeleton width={32} height={44} />
          <Stack as="span" gap={2} className={css.titleSkeleton}>
            <Skeleton width="55%" />
            <Skeleton width="35%" height={10} />
          </Stack>
        </Row>
      ),
    },
    { key: 'type', head: columns.type, width: '5.5rem', cell: (media) => <TypeBadge {...media} /> },
    {
      key: 'releaseDate',
      head: columns.releaseDate,
      width: '8rem',
      spare: 1,
      sort: sortBy('releaseDate'),
      // In UTC, so that every user sees the date as it was entered.
      cell: ({ releaseDate }) => (
        <time dateTime={releaseDate.slice(0, 10)} title={longDate(releaseDate, language, 'UTC')}>
          {shortDate(releaseDate, language, 'UTC')}
        </time>
      ),
    },
    { key: 'status', head: columns.status, width: '7.5rem', spare: 2, cell: (media) => <StatusBadge {...media} /> },
    {
      key: 'rating',
      head: columns.rating,
      width: '7rem',
      spare: 3,
      align: 'right',
      sort: sortBy('averageRating'),
      cell: (media) => <AverageRating {...media} />,
    },
  ] satisfies Column<MediaRow>[]
}

function TitleCell({ media }: { media: MediaRow }) {
  const title = useTitleOf()(media)
  const published = original(media.originalTitle, title)
  return (
    <Row gap={3}>
      <Cover cover={media.cover} entity={media} size="row" says />
      <div className={css.titles}>
        <MediaLink id={media._id} className={`line-clamp ${css.title}`} lang={title.lang} title={title.text}>
          {title.text}
        </MediaLink>
        <Row align="stretch" wrap className={css.below}>
          {published && (
            <Truncate lang={published.lang} className={css.published}>
              {published.text}
            </Truncate>
          )}
          <LanguageMarks kind="Media" row={media} />
        </Row>
      </div>
    </Row>
  )
}
