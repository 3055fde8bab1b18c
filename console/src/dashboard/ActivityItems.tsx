import type { Activity, ActivityType } from '@mokuroku/contract/dashboard'
import { Link } from '@tanstack/react-router'
import { ArchiveRestore, Captions, FileDown, History, type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { guessLanguage } from '#lib/text.ts'
import { AREAS, KINDS, screenOf } from '#lib/areas.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './ActivityItems.module.css'
import { activityTexts } from './texts.ts'

/** What an activity shows by what happened; what is made is shown as what it is. */
const ICONS: Record<string, LucideIcon> = {
  UPDATED: Pencil,
  DELETED: Trash2,
  PURGED: Trash2,
  RESTORED: ArchiveRestore,
}
const ICONS_OF_OTHERS: Partial<Record<ActivityType, LucideIcon>> = {
  TRANSLATION_UPDATED: Captions,
  CATALOGUE_IMPORTED: FileDown,
}

/** `MEDIA_CREATED` is of the kind `Media`. */
const kindOf = (type: ActivityType) => KINDS.find((kind) => kind.toUpperCase() === type.split('_')[0])

function iconOf(type: ActivityType): LucideIcon {
  const kind = kindOf(type)
  const [, action = ''] = type.split('_')
  return ICONS_OF_OTHERS[type] ?? ICONS[action] ?? (kind ? AREAS[kind].icon : History)
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
  const activities = activityTexts.use()
  const isGone = type.endsWith('_DELETED') || type.endsWith('_PURGED')
  const kind = KINDS.find((each) => each.toLowerCase() === entityType.toLowerCase())
  const screen = isGone || !entityId || !kind ? undefined : screenOf(kind, entityId)
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
          <div className={css.skeleton}>
            <Skeleton width="80%" />
            <Skeleton width="40%" height={10} />
          </div>
        </div>
      ))}
    </div>
  )
}
