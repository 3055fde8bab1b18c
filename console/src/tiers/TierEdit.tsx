import { type Tier, TierInput, tiersApi } from '@mokuroku/contract/tiers'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { qEdit } from '#api/query.ts'
import { DetailFrame, useBackTo } from '#parts/DetailFrame.tsx'
import { EditorScreen, EditorSkeleton } from '#parts/entityEditor/EditorScreen.tsx'
import { createIdNames } from '#parts/jsonEditor/idNames.ts'
import { useTierRefusal } from './rights.ts'
import { saveTier } from './saveTier.ts'
import { texts as area } from './texts.ts'
import { HEIGHT } from './TierNew.tsx'
import { TierPreview } from './TierPreview.tsx'
import { useReview } from './useReview.tsx'

export function TierEdit() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { back: backTo, editor: texts } = area.use()
  const back = useBackTo('/score-permissions', backTo)
  const tier = useQuery(qEdit(tiersApi.find, { id }))
  const pending = <EditorSkeleton title={texts.edit} back={back} height={HEIGHT} />
  return (
    <DetailFrame query={tier} back={back} texts={texts} pending={pending}>
      {(found) => <Editor tier={found} />}
    </DetailFrame>
  )
}

function Editor({ tier }: { tier: Tier }) {
  const { back: backTo, editor: texts } = area.use()
  const back = useBackTo('/score-permissions', backTo)
  const navigate = useNavigate()
  const refusal = useTierRefusal()
  const id = tier._id
  const { before, question } = useReview(id)
  const [noNames] = useState(() => createIdNames(new Map(), {}))
  const save = (body: TierInput, base: number | undefined) =>
    saveTier(body, () => call(tiersApi.update, { id, body, ...(base !== undefined && { base }) }))
  return (
    <>
      <EditorScreen
        title={texts.edit}
        back={back}
        entity={`score-permissions/${id}`}
        schema={TierInput}
        start={tier}
        version={tier.version}
        names={noNames}
        refusal={refusal}
        history={`/score-permissions/${id}/history`}
        height={HEIGHT}
        saved={texts.updated}
        failed={texts.updateFailed}
        renderBeside={(value) => !refusal && <TierPreview id={id} tier={value as TierInput | undefined} />}
        before={before}
        save={(body, base) => save(body as TierInput, base)}
        onSaved={() => navigate({ to: back.to, search: back.search })}
      />
      {question}
    </>
  )
}
