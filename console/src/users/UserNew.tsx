import { NewUser, newUser, usersApi } from '@mokuroku/contract/users'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { useBackTo } from '#parts/DetailFrame.tsx'
import { EditorScreen } from '#parts/entityEditor/EditorScreen.tsx'
import { createIdNames } from '#parts/jsonEditor/idNames.ts'
import { HEIGHT, SECRETS } from './editor.ts'
import { inWords } from './refused.ts'
import { useUserRights } from './rights.ts'
import { texts as area } from './texts.ts'

export function UserNew() {
  const { back: backTo, editor: texts } = area.use()
  const back = useBackTo('/users', backTo)
  const navigate = useNavigate()
  const { noEdit } = useUserRights()
  const [noNames] = useState(() => createIdNames(new Map(), {}))
  return (
    <EditorScreen
      title={texts.new}
      back={back}
      entity="users/new"
      schema={NewUser}
      start={newUser()}
      names={noNames}
      refusal={noEdit}
      height={HEIGHT}
      secrets={SECRETS}
      saved={texts.created}
      failed={texts.createFailed}
      hint={texts.newPassword}
      save={(body) => inWords(() => call(usersApi.create, { body: body as NewUser }))}
      onSaved={() => navigate({ to: back.to, search: back.search })}
    />
  )
}
