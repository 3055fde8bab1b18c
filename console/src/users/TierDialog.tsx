import { ApiError } from '@mokuroku/contract/call'
import { type Tier, tiersApi } from '@mokuroku/contract/tiers'
import { type User, usersApi } from '@mokuroku/contract/users'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { queryClient } from '#api/queryClient.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/FormButtons.tsx'
import { toast } from '#ui/toast.ts'
import { explain } from './explain.ts'
import { userTexts } from './texts.ts'
import { TierField, useActiveTiers } from './TierField.tsx'

/** Sets a user's score to that of a tier. */
export function TierDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { tiers: texts } = userTexts.use()
  const form = useId()
  const [chosen, setChosen] = useState<string>()
  const { tiers } = useActiveTiers()
  const now = tiers.find(({ name }) => name === user.tier)
  const isGone = chosen !== undefined && !isTier(tiers, Number(chosen))
  const scores = isGone ? String(user.scores) : (chosen ?? String(now?.requiredScore ?? user.scores))
  const { save, isSaving } = useSaveScores(onClose)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isSaving) save(user, Number(scores))
  }
  return (
    <Dialog
      title={texts.title(user.username)}
      onClose={onClose}
      footer={
        <FormButtons
          onCancel={onClose}
          form={form}
          variant="primary"
          busy={isSaving}
          reason={Number(scores) === user.scores ? texts.same : undefined}
        >
          {texts.save}
        </FormButtons>
      }
    >
      <form id={form} onSubmit={submit}>
        <TierField hint={useHint(user.scores, Number(scores))} scores={scores} onScores={setChosen} />
      </form>
    </Dialog>
  )
}

const isTier = (tiers: Tier[], scores: number) => tiers.some((tier) => tier.isActive && tier.requiredScore === scores)

/** Throws if no tier requires this score any more: the account would be in a lower one. */
async function requireTier(scores: number): Promise<void> {
  const { data } = await queryClient.fetchQuery({ ...q(tiersApi.list), staleTime: 0 })
  if (!isTier(data, scores)) throw new ApiError(409, { message: userTexts.get().tiers.gone })
}

function useHint(before: number, after: number): string {
  const { tiers: texts } = userTexts.use()
  const language = useLanguage()
  return before === after ? texts.same : texts.hint(count(before, language), count(after, language))
}

/** Saves a score against the version on screen, and offers to undo it. */
function useSaveScores(onDone: () => void) {
  const { editor } = userTexts.use()
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: ({
      user: { _id, version },
      scores,
      isUndo,
    }: {
      user: User
      scores: number
      before: number
      isUndo?: boolean
    }) =>
      explain(
        async () => {
          if (!isUndo) await requireTier(scores)
          return call(usersApi.update, { id: _id, body: { scores }, base: version })
        },
        { scores },
        _id,
      ),
    meta: { failure: editor.updateFailed },
    onSuccess: (user, { before, scores, isUndo }) => {
      const message = userTexts.get().tiers.saved(user.username, user.tier)
      if (isUndo) toast.success(message)
      else offerUndo(message, () => mutateAsync({ user, scores: before, before: scores, isUndo: true }))
      onDone()
    },
  })
  return { save: (user: User, scores: number) => mutate({ user, scores, before: user.scores }), isSaving: isPending }
}
