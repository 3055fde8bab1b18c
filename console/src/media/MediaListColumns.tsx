import type { MediaRow, MediaSort } from '@mokuroku/contract/media'
import { Link } from '@tanstack/react-router'
import { Eye, SquarePen, Trash2 } from 'lucide-react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { languagesOf } from '#lib/text.ts'
import { Cover } from '#parts/Cover.tsx'
import { AverageRating, StatusBadge, TypeBadge } from '#parts/MediaBadges.tsx'
import { MediaLink } from '#parts/MediaLink.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { original, useTitleOf } from '#parts/titles.ts'
import { buttonClass, IconButton } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { Column, Sort } from '#ui/Table.tsx'
import css from './MediaList.module.css'

/** As many language codes as fit beside the original title. */
const CODES = 4

type Sorted = 'releaseDate' | 'averageRating'

interface Props {
  sort: MediaSort | undefined
  onSort: (sort: MediaSort | undefined) => void
  onDelete: (media: MediaRow) => void
}

/** The columns of /media. */
export function useMediaColumns({ sort, onSort, onDelete }: Props) {
  const { media: texts, common } = useMessages()
  const language = useLanguage()
  const sortBy = (column: Sorted): Sort => {
    if (sort === column) return { now: 'ascending', next: () => onSort(undefined) }
    if (sort === `-${column}`) return { now: 'descending', next: () => onSort(column) }
    return { now: 'none', next: () => onSort(`-${column}`) }
  }
  const { columns } = texts
  return [
    {
      key: 'title',
      head: columns.title,
      cell: (media) => <TitleCell media={media} />,
      skeleton: (
        <span className={css.titleCell}>
          <Skeleton width={32} height={44} />
          <span className={css.titleBones}>
            <Skeleton width="55%" />
            <Skeleton width="35%" height={10} />
          </span>
        </span>
      ),
    },
    { key: 'type', head: columns.type, width: '96px', cell: (media) => <TypeBadge {...media} /> },
    {
      key: 'releaseDate',
      head: columns.releaseDate,
      width: '168px',
      sort: sortBy('releaseDate'),
      // The day as it was entered, the same for every reader.
      cell: ({ releaseDate }) => longDate(releaseDate, language, 'UTC'),
    },
    { key: 'status', head: columns.status, width: '128px', cell: (media) => <StatusBadge {...media} /> },
    {
      key: 'rating',
      head: columns.rating,
      width: '112px',
      align: 'right',
      sort: sortBy('averageRating'),
      cell: (media) => <AverageRating {...media} />,
    },
    {
      key: 'actions',
      head: common.actions,
      width: '148px',
      actions: true,
      cell: (media) => <Actions media={media} onDelete={onDelete} />,
    },
  ] satisfies Column<MediaRow>[]
}

function TitleCell({ media }: { media: MediaRow }) {
  const title = useTitleOf()(media)
  const published = original(media.originalTitle)
  return (
    <div className={css.titleCell}>
      <Cover cover={media.cover} size="row" />
      <div className={css.titles}>
        <MediaLink id={media._id} className={css.title} lang={title.lang} title={title.text}>
          {title.text}
        </MediaLink>
        <div className={css.below}>
          {published && published.text !== title.text && (
            <span className={css.original} lang={published.lang} title={published.text}>
              {published.text}
            </span>
          )}
          <Codes {...media} />
        </div>
      </div>
    </div>
  )
}

function Codes({ translations }: Pick<MediaRow, 'translations'>) {
  const { media: texts } = useMessages()
  const codes = languagesOf(translations)
  if (codes.length === 0) return <span className={css.codes}>{texts.noTranslations}</span>
  return (
    <span className={css.codes} title={codes.join(', ')}>
      <span className="sr-only">{texts.translatedInto} </span>
      {codes.slice(0, CODES).join(' · ')}
      {codes.length > CODES && ` +${codes.length - CODES}`}
    </span>
  )
}

function Actions({ media, onDelete }: { media: MediaRow; onDelete: (media: MediaRow) => void }) {
  const { media: texts } = useMessages()
  const refusal = useRefusal()
  const { text } = useTitleOf()(media)
  const noEdit = refusal('edit', 'Media', media.createdBy)
  const look = `${buttonClass({ variant: 'quiet', icon: true })} ${css.action}`
  return (
    <>
      <MediaLink id={media._id} className={look} aria-label={texts.view(text)} title={texts.view(text)}>
        <Eye size={16} aria-hidden />
      </MediaLink>
      {noEdit ? (
        <IconButton icon={SquarePen} label={texts.edit(text)} reason={noEdit} className={css.action} />
      ) : (
        <Link to={`/media/${media._id}/edit`} className={look} aria-label={texts.edit(text)} title={texts.edit(text)}>
          <SquarePen size={16} aria-hidden />
        </Link>
      )}
      <IconButton
        icon={Trash2}
        toDelete
        label={texts.delete(text)}
        reason={refusal('delete', 'Media', media.createdBy)}
        className={css.action}
        onClick={() => onDelete(media)}
      />
    </>
  )
}
