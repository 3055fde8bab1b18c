import { NewUser, newUser, type User, UserInput, UserQuery, usersApi } from '@mokuroku/contract/users'
import { useQuery } from '@tanstack/react-query'
import type { Response } from '@mokuroku/contract/route'
import * as z from 'zod/mini'
import { qEdit } from '#api/query.ts'
import { session, updateMe } from '#api/session.ts'
import { guessLanguage } from '#lib/text.ts'
import type { Area, BeneathProps } from '#parts/area/area.ts'
import { UsedIn } from '#parts/UsedIn.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { explain } from './explain.ts'
import { InviteButton } from './InviteButton.tsx'
import { userRefusals } from './rights.ts'
import { userTexts } from './texts.ts'
import { TierField } from './TierField.tsx'
import { UserRowActions } from './UserRowActions.tsx'
import { userColumns } from './UserListColumns.tsx'
import { UserListFilters } from './UserListFilters.tsx'

const AvatarPicture = lazyPart(() => import('./AvatarPicture.tsx'), 'AvatarPicture')

const LIMIT = 10

/** Query parameters in the URL of the list. */
const ListQuery = z.omit(UserQuery, { limit: true })

export const area: Area<User, typeof ListQuery> = {
  kind: 'User',
  api: usersApi,
  texts: userTexts.in,
  nameOf: ({ username }) => ({ text: username, lang: guessLanguage(username) }),
  refusals: userRefusals,
  list: {
    query: ListQuery,
    limit: LIMIT,
    ask: (query) => ({ ...query, limit: LIMIT }),
    rowsOf: ({ data: rows, total }: Response<typeof usersApi.list>) => ({ rows, total }),
    Filters: UserListFilters,
    Actions: InviteButton,
    RowActions: UserRowActions,
    table: {
      columns: userColumns,
      actionsWidth: '13rem',
    },
  },
  editor: {
    schema: UserInput,
    schemaOfNew: NewUser,
    start: newUser,
    height: 550,
    secrets: ['password'],
    beneath: { scores: TierOfScores, avatar: AvatarPicture },
    onUpdated: showOwn,
  },
  explain,
  Deleting: WhatStays,
}

/** Select field for the tier that the score reaches. */
function TierOfScores({ value, isReadOnly, onValue }: BeneathProps) {
  const { tiers: texts } = userTexts.use()
  const scores = typeof value === 'number' ? String(value) : '0'
  return (
    <TierField hint={texts.ofScores} scores={scores} disabled={isReadOnly} onScores={(next) => onValue(Number(next))} />
  )
}

/** Updates the session's user, who is shown around every screen. */
function showOwn({ _id, username, email, avatar }: User) {
  const now = session.get()
  if (now.state !== 'in' || now.user._id !== _id) return
  updateMe({ username, email: email ?? now.user.email, avatar })
}

function WhatStays({ row: { _id: id } }: { row: User }) {
  const { uses: texts } = userTexts.use()
  return <UsedIn uses={useQuery(qEdit(usersApi.uses, { id }))} texts={texts} />
}
