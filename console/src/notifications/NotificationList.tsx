import {
  MAX_NOTIFICATIONS,
  type Notification,
  notificationsApi,
  type ReadInput,
} from '@mokuroku/contract/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { qList } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { useDevice } from '#parts/device.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './NotificationList.module.css'
import { texts as area } from './texts.ts'
import { describeNotification } from './describeNotification.ts'

interface Props {
  unread: number
  onUnread: (count: number) => void
  onClose: () => void
}

/** How many are shown before the user asks for all. */
const LATEST = 20

/** The latest notifications, newest first, or all. Opening one marks it as read; a button marks all. */
export function NotificationList({ unread, onUnread, onClose }: Props) {
  const { shell } = useMessages()
  const texts = area.use()
  const [limit, setLimit] = useState(LATEST)
  const latest = useQuery({
    ...qList(notificationsApi.list, { query: { limit } }),
    staleTime: 0,
    meta: { quiet: true },
  })
  const read = useMutation({
    mutationFn: (body: ReadInput) => call(notificationsApi.read, { body }),
    meta: { failure: texts.markFailed },
    onSuccess: (answer) => onUnread(answer.unread),
  })
  const newest = latest.data?.data[0]
  return (
    <>
      <Row as="header" gap={2} justify="between" className={css.header}>
        <h2 className={css.title}>{shell.notifications}</h2>
        {newest && unread > 0 && (
          <Button
            variant="quiet"
            size="small"
            icon={CheckCheck}
            busy={read.isPending}
            onClick={() => read.mutate({ upTo: newest._id })}
          >
            {texts.markAll}
          </Button>
        )}
      </Row>
      <div className={css.body}>
        <Loaded query={latest} failed={texts.failed} loading={texts.loading} skeleton={<NotificationListSkeleton />}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon={Bell} title={texts.empty} hint={texts.emptyHint} />
            ) : (
              <>
                <ol>
                  {data.map((notification) => (
                    <Item
                      key={notification._id}
                      notification={notification}
                      onChosen={() => {
                        if (notification.readAt === null) read.mutate({ ids: [notification._id] })
                        onClose()
                      }}
                    />
                  ))}
                </ol>
                {limit === LATEST && data.length === LATEST && (
                  <Button variant="quiet" className={css.all} onClick={() => setLimit(MAX_NOTIFICATIONS)}>
                    {texts.all}
                  </Button>
                )}
              </>
            )
          }
        </Loaded>
      </div>
    </>
  )
}

function Item({ notification, onChosen }: { notification: Notification; onChosen: () => void }) {
  const texts = area.use()
  const language = useLanguage()
  const {
    icon: Icon,
    tone,
    sentence,
    about,
    detail,
    to,
    search = {},
  } = describeNotification(notification, texts, language, useDevice())
  const isUnread = notification.readAt === null
  return (
    <li>
      <Link to={to} search={search} className={css.item} data-unread={isUnread || undefined} onClick={onChosen}>
        <span className={css.icon} data-tone={tone}>
          <Icon size={15} strokeWidth={1.75} aria-hidden />
        </span>
        <Stack as="span" className={css.what}>
          <span className={css.sentence}>{sentence}</span>
          {about && (
            <span className={`line-clamp ${css.about}`} lang={about.lang} title={about.text}>
              {about.text}
            </span>
          )}
          {detail && (
            <span className={`line-clamp ${css.detail}`} dir="auto" title={detail}>
              {detail}
            </span>
          )}
          <Muted as="time" small className={css.when} dateTime={notification.createdAt}>
            {longDateTime(notification.createdAt, language)}
          </Muted>
        </Stack>
        {isUnread && (
          <span className={css.dot}>
            <span className="sr-only">{texts.isUnread}</span>
          </span>
        )}
      </Link>
    </li>
  )
}

function NotificationListSkeleton() {
  return (
    <div>
      {Array.from({ length: 3 }, (_, row) => (
        <div key={row} className={css.item}>
          <Skeleton width={30} height={30} round />
          <Stack as="span" gap={2} className={css.skeleton}>
            <Skeleton width="70%" />
            <Skeleton width="40%" height={10} />
          </Stack>
        </div>
      ))}
    </div>
  )
}
