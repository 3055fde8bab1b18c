import { tiersApi } from '@mokuroku/contract/tiers'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { q } from '#api/query.ts'
import { guessLanguage } from '#lib/text.ts'
import { useBackTo } from '#parts/DetailFrame.tsx'
import { HistoryScreen } from '#parts/history/HistoryScreen.tsx'
import { useTierRefusal } from './rights.ts'
import { texts as area } from './texts.ts'

export function TierHistory() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { back, editor: texts } = area.use()
  const refusal = useTierRefusal()
  return (
    <HistoryScreen
      kind="Tier"
      query={useQuery({ ...q(tiersApi.find, { id }), meta: { quiet: true } })}
      back={useBackTo('/score-permissions', back)}
      texts={texts}
      nameOf={({ name }) => ({ text: name, lang: guessLanguage(name) })}
      refusalOf={() => refusal}
      editor={({ _id }) => `/score-permissions/${_id}/edit`}
    />
  )
}
