import { usersApi } from '@mokuroku/contract/users'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { q } from '#api/query.ts'
import { guessLanguage } from '#lib/text.ts'
import { useBackTo } from '#parts/DetailFrame.tsx'
import { HistoryScreen } from '#parts/history/HistoryScreen.tsx'
import { useUserRights } from './rights.ts'
import { texts as area } from './texts.ts'

export function UserHistory() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { back, editor: texts } = area.use()
  const { noEdit } = useUserRights()
  return (
    <HistoryScreen
      kind="User"
      query={useQuery({ ...q(usersApi.find, { id }), meta: { quiet: true } })}
      back={useBackTo('/users', back)}
      texts={texts}
      nameOf={({ username }) => ({ text: username, lang: guessLanguage(username) })}
      refusalOf={() => noEdit}
      editor={({ _id }) => `/users/${_id}/edit`}
    />
  )
}
