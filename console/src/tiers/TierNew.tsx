import { newTier, TierInput, tiersApi } from '@mokuroku/contract/tiers'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { useBackTo } from '#parts/DetailFrame.tsx'
import { EditorScreen } from '#parts/entityEditor/EditorScreen.tsx'
import { createIdNames } from '#parts/jsonEditor/idNames.ts'
import { useTierRefusal } from './rights.ts'
import { saveTier } from './saveTier.ts'
import { texts as area } from './texts.ts'
import { TierPreview } from './TierPreview.tsx'
import { useReview } from './useReview.tsx'

/** In pixels. */
export const HEIGHT = 550

export function TierNew() {
  const { back: backTo, editor: texts } = area.use()
  const back = useBackTo('/score-permissions', backTo)
  const navigate = useNavigate()
  const refusal = useTierRefusal()
  const { before, question } = useReview()
  const [noNames] = useState(() => createIdNames(new Map(), {}))
  return (
    <>
      <EditorScreen
        title={texts.new}
        back={back}
        entity="score-permissions/new"
        schema={TierInput}
        start={newTier()}
        names={noNames}
        refusal={refusal}
        height={HEIGHT}
        saved={texts.created}
        failed={texts.createFailed}
        renderBeside={(tier) => !refusal && <TierPreview tier={tier as TierInput | undefined} />}
        before={before}
        save={(body) => saveTier(body as TierInput, () => call(tiersApi.create, { body: body as TierInput }))}
        onSaved={() => navigate({ to: back.to, search: back.search })}
      />
      {question}
    </>
  )
}
