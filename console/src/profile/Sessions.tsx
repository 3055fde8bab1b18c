import { authApi, type Session } from '@mokuroku/contract/auth'
import { useMutation, useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { count } from '#lib/sizes.ts'
import { useDevice } from '#parts/device.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Confirm } from '#ui/Confirm.tsx'
import { Row } from '#ui/layout.tsx'
import { LoadedTable } from '#ui/LoadedTable.tsx'
import type { Column } from '#ui/Table.tsx'
import { toast } from '#ui/toast.ts'
import css from './Profile.module.css'
import { texts as area } from './texts.ts'

/** How many sessions are shown at first. */
const FIRST = 10

/** The user's sessions; all but the current one can be ended here. */
export function Sessions() {
  const { sessions: texts } = area.use()
  const language = useLanguage()
  const [isConfirming, setConfirming] = useState(false)
  const [all, setAll] = useState(false)
  const sessions = useQuery({ ...q(authApi.sessions), staleTime: 0 })
  const endOthers = useMutation({
    mutationFn: () => call(authApi.endSessions),
    meta: { failure: texts.endFailed },
    onSuccess: () => toast.success(texts.endedOthers),
  })
  const columns = useColumns()
  const { data: rows = [] } = sessions.data ?? {}
  return (
    <Card
      flush
      title={texts.title}
      count={sessions.data && rows.length}
      action={
        <Button
          size="small"
          icon={LogOut}
          reason={rows.some(({ current }) => !current) ? undefined : texts.onlyOne}
          onClick={() => setConfirming(true)}
        >
          {texts.endOthers}
        </Button>
      }
    >
      <LoadedTable
        query={sessions}
        rowsOf={({ data }) => sorted(data).slice(0, all ? undefined : FIRST)}
        texts={texts}
        expected={2}
        label={texts.title}
        columns={columns}
        rowKey={({ _id }) => _id}
        empty={texts.onlyOne}
      />
      {rows.length > FIRST && (
        <p className={css.more}>
          <Button size="small" variant="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? texts.showFewer : texts.showAll(count(rows.length, language))}
          </Button>
        </p>
      )}
      {isConfirming && (
        <Confirm
          irreversible
          title={texts.endOthers}
          confirm={texts.end}
          onConfirm={() => endOthers.mutateAsync()}
          onClose={() => setConfirming(false)}
        >
          <p>{texts.endOthersQuestion}</p>
        </Confirm>
      )}
    </Card>
  )
}

/** The current session first, then the most recently used. */
const sorted = (sessions: Session[]) =>
  sessions.toSorted((one, two) => Number(two.current) - Number(one.current) || (one.lastSeen < two.lastSeen ? 1 : -1))

function useColumns(): Column<Session>[] {
  const { sessions: texts } = area.use()
  const { common } = useMessages()
  const language = useLanguage()
  const deviceOf = useDevice()
  const end = useMutation({
    mutationFn: (id: string) => call(authApi.endSession, { id }),
    meta: { failure: texts.endFailed },
    onSuccess: () => toast.success(texts.ended),
  })
  const moment = (value: string) => (
    <time dateTime={value} className={css.moment}>
      {longDateTime(value, language)}
    </time>
  )
  return [
    {
      key: 'device',
      head: texts.device,
      cell: ({ userAgent, current }) => (
        <Row as="span" wrap className={css.device} title={userAgent}>
          {deviceOf(userAgent)}
          {current && (
            <Badge tone="success" dot>
              {texts.current}
            </Badge>
          )}
        </Row>
      ),
    },
    {
      key: 'address',
      head: texts.address,
      width: '16%',
      cell: ({ address }) => <span className={css.address}>{address}</span>,
    },
    { key: 'since', head: texts.since, width: '22%', cell: ({ createdAt }) => moment(createdAt) },
    { key: 'seen', head: texts.seen, width: '22%', cell: ({ lastSeen }) => moment(lastSeen) },
    {
      key: 'actions',
      head: common.actions,
      width: '7rem',
      actions: true,
      cell: ({ _id, userAgent, createdAt, current }) => (
        <IconButton
          once
          icon={LogOut}
          // Several sessions may be of the same browser.
          label={texts.endOf(deviceOf(userAgent), longDateTime(createdAt, language))}
          busy={end.isPending && end.variables === _id}
          reason={current ? texts.isCurrent : undefined}
          onClick={() => end.mutate(_id)}
        />
      ),
    },
  ]
}
