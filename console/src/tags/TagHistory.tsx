import { tagsApi } from '@mokuroku/contract/tags'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { useBackTo } from '#parts/DetailFrame.tsx'
import { HistoryScreen } from '#parts/history/HistoryScreen.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { useNameOf } from './nameOf.ts'

export function TagHistory() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { back, editor: texts } = useMessages().tags
  const refusal = useRefusal()
  return (
    <HistoryScreen
      kind="Tag"
      query={useQuery({ ...q(tagsApi.find, { id }), meta: { quiet: true } })}
      back={useBackTo('/tags', back)}
      texts={{ ...texts, failed: texts.loadFailed }}
      nameOf={useNameOf()}
      refusalOf={({ createdBy }) => refusal('edit', 'Tag', createdBy)}
      editor={({ _id }) => `/tags/${_id}/edit`}
    />
  )
}
