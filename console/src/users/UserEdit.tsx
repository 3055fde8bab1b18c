import { ApiError } from '@mokuroku/contract/call'
import { type User, UserInput, usersApi } from '@mokuroku/contract/users'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { toFieldMessage } from '#api/errors.ts'
import { qEdit } from '#api/query.ts'
import { session, useMe } from '#api/session.ts'
import { DetailFrame, useBackTo } from '#parts/DetailFrame.tsx'
import { EditorScreen, EditorSkeleton } from '#parts/entityEditor/EditorScreen.tsx'
import { createIdNames } from '#parts/jsonEditor/idNames.ts'
import { HEIGHT, SECRETS } from './editor.ts'
import { inWords } from './refused.ts'
import { useUserRights } from './rights.ts'
import { texts as area } from './texts.ts'

export function UserEdit() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { back: backTo, editor: texts } = area.use()
  const back = useBackTo('/users', backTo)
  const user = useQuery(qEdit(usersApi.find, { id }))
  const pending = <EditorSkeleton title={texts.edit} back={back} height={HEIGHT} />
  return (
    <DetailFrame query={user} back={back} texts={texts} pending={pending}>
      {(found) => <Editor user={found} />}
    </DetailFrame>
  )
}

function Editor({ user }: { user: User }) {
  const { back: backTo, updateFailed, editor: texts } = area.use()
  const back = useBackTo('/users', backTo)
  const navigate = useNavigate()
  const me = useMe()
  const { noEdit } = useUserRights()
  const [noNames] = useState(() => createIdNames(new Map(), {}))
  const id = user._id
  return (
    <EditorScreen
      title={texts.edit}
      back={back}
      entity={`users/${id}`}
      schema={UserInput}
      start={user}
      version={user.version}
      names={noNames}
      refusal={noEdit}
      history={`/users/${id}/history`}
      height={HEIGHT}
      secrets={SECRETS}
      saved={texts.updated}
      failed={updateFailed}
      hint={texts.setPassword}
      save={(body, base) => saveUser(id, body, base)}
      onSaved={async ({ username, email = me.email, avatar }) => {
        if (id === me._id) session.set({ state: 'in', user: { ...me, username, email, avatar } })
        await navigate({ to: back.to, search: back.search })
      }}
    />
  )

  async function saveUser(of: string, body: UserInput, base: number | undefined): Promise<User> {
    const { ownRole, ownScores } = area.now()
    try {
      return await inWords(() => call(usersApi.update, { id: of, body, ...(base !== undefined && { base }) }), body)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'forbidden' && of === me._id)) throw error
      throw body.role === me.role ? toFieldMessage(error, 'scores', ownScores) : toFieldMessage(error, 'role', ownRole)
    }
  }
}
