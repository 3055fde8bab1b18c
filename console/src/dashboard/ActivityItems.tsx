import type { Activity, ActivityType } from '@mokuroku/contract/dashboard'
import { Link } from '@tanstack/react-router'
import {
  ArchiveRestore,
  Captions,
  Clapperboard,
  FileDown,
  Hash,
  History,
  Images,
  type LucideIcon,
  Pencil,
  Star,
  Trash2,
  UserRound,
} from 'lucide-react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { guessLanguage } from '#lib/text.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './ActivityItems.module.css'

const ICONS: Partial<Record<ActivityType, LucideIcon>> = {
  MEDIA_CREATED: Clapperboard,
  CHARACTER_CREATED: UserRound,
  TAG_CREATED: Hash,
  ASSET_CREATED: Images,
  TRANSLATION_UPDATED: Captions,
  RATING_ADDED: Star,
  CATALOGUE_IMPORTED: FileDown,
}

/** What a type without an icon of its own shows. */
const ICONS_BY_ACTION: Record<string, LucideIcon> = {
  UPDATED: Pencil,
  DELETED: Trash2,
  PURGED: Trash2,
  RESTORED: ArchiveRestore,
}

const iconOf = (type: ActivityType): LucideIcon => ICONS[type] ?? ICONS_BY_ACTION[type.split('_')[1] ?? ''] ?? History

/** Where it is looked at; a tag has no screen but its editor. */
const SCREENS: Record<string, (id: string) => string> = {
  media: (id) => `/media/${id}`,
  character: (id) => `/characters/${id}`,
  tag: (id) => `/tags/${id}/edit`,
  asset: (id) => `/assets/${id}`,
}

export function ActivityItems({ activities }: { activities: readonly Activity[] }) {
  const language = useLanguage()
  return (
    <ol className={css.items}>
      {activities.map((activity) => {
        const Icon = iconOf(activity.type)
        return (
          <li key={activity._id} className={css.item} data-list-row>
            <span className={css.icon}>
              <Icon size={15} strokeWidth={1.75} aria-hidden />
            </span>
            <div className={css.what}>
              <p className={css.description}>
                <Described {...activity} />
              </p>
              <p className={css.when}>
                <span>{activity.username}</span>
                <span aria-hidden className={css.dot}>
                  ·
                </span>
                <time dateTime={activity.createdAt}>{longDateTime(activity.createdAt, language)}</time>
              </p>
            </div>
          </li>
        )
      })}
    </ol>
  )
}

/** What happened, in the reader's language; a link when there is a screen for it, and what was deleted has none. */
function Described({ type, title, entityType, entityId }: Activity) {
  const { activities } = useMessages()
  const isGone = type.endsWith('_DELETED') || type.endsWith('_PURGED')
  const screen = isGone || !entityId ? undefined : SCREENS[entityType.toLowerCase()]?.(entityId)
  const sentence = (
    <>
      {activities.types[type]}
      {title && activities.colon}
      {title && <span lang={guessLanguage(title)}>{title}</span>}
    </>
  )
  return screen ? <Link to={screen}>{sentence}</Link> : sentence
}

export function ActivityItemsSkeleton({ rows }: { rows: number }) {
  return (
    <div className={css.items}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={css.item}>
          <Skeleton width={30} height={30} round />
          <div className={css.bones}>
            <Skeleton width="80%" />
            <Skeleton width="40%" height={10} />
          </div>
        </div>
      ))}
    </div>
  )
}
