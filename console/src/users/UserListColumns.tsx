import { orderOf } from '@mokuroku/contract/order'
import type { User, USER_SORTS } from '@mokuroku/contract/users'
import { Link } from '@tanstack/react-router'
import { count } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import type { ColumnsProps } from '#parts/area/area.ts'
import { editorOf } from '#lib/areas.ts'
import { Day } from '#parts/Day.tsx'
import { Avatar } from '#parts/Avatar.tsx'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { Column, Sort } from '#ui/Table.tsx'
import { userTexts } from './texts.ts'
import css from './UserList.module.css'

const TONES: Record<User['role'], Tone> = { user: 'neutral', admin: 'plum', moderator: 'accent' }

type Sorted = (typeof USER_SORTS)[number]
type Order = Sorted | `-${Sorted}` | 'relevance'

const DATE = '7rem'

/** Initial sort order of a column, if not descending: texts ascend; amounts and dates start with the largest. */
const FIRST: Partial<Record<Sorted, Order>> = { username: 'username' }

interface Ordered {
  sort?: Order | undefined
  search?: string | undefined
}

/** The columns of /users. */
export function userColumns({ state: { sort, search }, onState, language }: ColumnsProps<Ordered>) {
  const { columns } = userTexts.in(language)
  const onSort = (next: Order | undefined) => onState({ sort: next })
  const order = orderOf<Order>({ sort, search })
  const unchosen = orderOf<Order>({ search })
  const sortBy = (column: Sorted): Sort => {
    const first = FIRST[column] ?? (`-${column}` as const)
    const second = first === column ? (`-${column}` as const) : column
    const shown = order === column ? 'ascending' : order === `-${column}` ? 'descending' : 'none'
    const next = shown === 'none' ? first : order === first ? second : unchosen
    return { order: shown, onPress: () => onSort(next === unchosen ? undefined : next) }
  }
  return [
    {
      key: 'user',
      head: columns.user,
      sort: sortBy('username'),
      cell: (user) => <UserCell {...user} />,
      skeleton: (
        <Row as="span" gap={3}>
          <Skeleton width={32} height={32} round />
          <span className={css.skeleton}>
            <Skeleton width="45%" />
            <Skeleton width="70%" height={10} />
          </span>
        </Row>
      ),
    },
    { key: 'role', head: columns.role, width: '6.5rem', cell: (user) => <RoleBadge {...user} /> },
    { key: 'status', head: columns.status, width: '7.75rem', spare: 3, cell: (user) => <StatusBadge {...user} /> },
    {
      key: 'scores',
      head: columns.scores,
      width: '7.25rem',
      spare: 2,
      align: 'right',
      sort: sortBy('scores'),
      cell: ({ scores, tier }) => (
        <>
          <span className={css.scores}>{count(scores, language)}</span>
          {tier && <span className={css.tier}>{tier}</span>}
        </>
      ),
    },
    { key: 'lastLogin', head: columns.lastLogin, width: DATE, spare: 1, cell: (user) => <LastLogin {...user} /> },
    {
      key: 'created',
      head: columns.created,
      width: DATE,
      spare: 1,
      sort: sortBy('createdAt'),
      cell: ({ createdAt }) => <Day moment={createdAt} />,
    },
  ] satisfies Column<User>[]
}

function UserCell({ _id, username, email, avatar }: User) {
  return (
    <Row gap={3}>
      <Avatar name={username} url={avatar || undefined} />
      <Stack>
        <Link to={editorOf('User', _id)} className={css.name} lang={guessLanguage(username)} title={username}>
          {username}
        </Link>
        {email && (
          <span className={css.email} title={email}>
            {email}
          </span>
        )}
      </Stack>
    </Row>
  )
}

function RoleBadge({ role }: User) {
  const { roles } = userTexts.use()
  return <Badge tone={TONES[role]}>{roles[role]}</Badge>
}

function StatusBadge({ isActive, invitation }: User) {
  const { active, inactive, invited, invitationOver } = userTexts.use()
  if (isActive && invitation)
    return (
      <Badge dot tone={invitation.expiresAt ? 'accent' : 'warning'}>
        {invitation.expiresAt ? invited : invitationOver}
      </Badge>
    )
  return (
    <Badge dot tone={isActive ? 'success' : 'neutral'}>
      {isActive ? active : inactive}
    </Badge>
  )
}

function LastLogin({ lastLogin }: User) {
  const { never, hidden } = userTexts.use()
  if (lastLogin === undefined) {
    return (
      <Muted inline title={hidden}>
        <span aria-hidden>—</span>
        <span className="sr-only">{hidden}</span>
      </Muted>
    )
  }
  return lastLogin === null ? <Muted inline>{never}</Muted> : <Day moment={lastLogin} />
}
