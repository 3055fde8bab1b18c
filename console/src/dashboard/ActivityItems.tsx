import type { Activity, ActivityType } from '@mokuroku/contract/dashboard'
import { Link } from '@tanstack/react-router'
import { ArchiveRestore, Captions, FileDown, History, type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import { Fragment } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { AREAS, KINDS, screenOf } from '#lib/areas.ts'
import type { Text } from '#lib/text.ts'
import { nameOfEntity } from '#parts/titles.ts'
import { UserLink } from '#parts/UserLink.tsx'
import { Row } from '#ui/layout.tsx'
import css from './ActivityItems.module.css'
import { type ActivityGroup, groupActivities, isKnown } from './groupActivities.ts'
import { activityTexts } from './activityTexts.ts'

/** How many titles of a group are named. */
const NAMED = 2

/** Icons by action; a creation has the icon of its kind. */
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

/** The kind of an activity type: `MEDIA_CREATED` is about `Media`. */
const kindOf = (type: ActivityType) => KINDS.find((kind) => kind.toUpperCase() === type.split('_')[0])

function iconOf(type: ActivityType): LucideIcon {
  const kind = kindOf(type)
  const [, action = ''] = type.split('_')
  return ICONS_OF_OTHERS[type] ?? ICONS[action] ?? (kind ? AREAS[kind].icon : History)
}

/** The newest groups of activities that belong together. */
export const GroupedActivities = ({ activities, shown }: { activities: readonly Activity[]; shown: number }) => (
  <ActivityItems groups={groupActivities(activities).slice(0, shown)} />
)

export function ActivityItems({ groups }: { groups: readonly ActivityGroup[] }) {
  const language = useLanguage()
  return (
    <ol className={css.items}>
      {groups.map(({ newest: activity, activities }) => {
        const Icon = iconOf(activity.type)
        return (
          <Row as="li" key={activity._id} gap={3} className={css.item} data-list-row>
            <span className={css.icon}>
              <Icon size={15} strokeWidth={1.75} aria-hidden />
            </span>
            <div className={css.what}>
              <p className={css.description}>
                {activities.length > 1 ? <Summed activities={activities} /> : <Described {...activity} />}
              </p>
              <Row as="p" wrap className={css.when}>
                {activity.userId ? (
                  <UserLink _id={activity.userId} username={activity.username} />
                ) : (
                  <span>{activity.username}</span>
                )}
                <span aria-hidden className={css.dot}>
                  ·
                </span>
                <time dateTime={activity.createdAt}>{longDateTime(activity.createdAt, language)}</time>
              </Row>
            </div>
          </Row>
        )
      })}
    </ol>
  )
}

/** What happened, in the user's language if its type is known; a link if its target still exists. */
function Described(activity: Activity) {
  const { type, description, entityType, entityId, isThere } = activity
  const name = nameOfEntity(activity, useLanguage())
  const activities = activityTexts.use()
  const kind = KINDS.find((each) => each === entityType)
  const screen = !isThere || !kind ? undefined : screenOf(kind, entityId)
  const sentence = isKnown(type) ? (
    <>
      {activities.types[type]}
      {name && activities.colon}
      {name && <Title {...name} />}
    </>
  ) : (
    description
  )
  return screen ? <Link to={screen}>{sentence}</Link> : sentence
}

/** The line that it is in may be cut off. */
const Title = ({ text, lang }: Text) => (
  <span lang={lang} title={text}>
    {text}
  </span>
)

/** A group of similar activities, with the first titles; links to the list of activities of that type. */
function Summed({ activities }: { activities: readonly Activity[] }) {
  const texts = activityTexts.use()
  const type = activities[0]?.type ?? 'MEDIA_UPDATED'
  const language = useLanguage()
  const names = activities.flatMap((activity) => nameOfEntity(activity, language) ?? [])
  const named = [...new Map(names.map((name) => [name.text, name])).values()].slice(0, NAMED)
  return (
    <Link to="/activities" search={{ type }}>
      {texts.grouped[type](activities.length)}
      {named.length > 0 && texts.colon}
      {named.map(({ text, lang }, at) => (
        <Fragment key={text}>
          {at > 0 && texts.comma}
          <Title text={text} lang={lang} />
        </Fragment>
      ))}
      {activities.length > named.length && named.length > 0 && '…'}
    </Link>
  )
}
