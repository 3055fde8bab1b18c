import { ApiError } from '@mokuroku/contract/call'
import { type Tier, TierInput, tiersApi } from '@mokuroku/contract/tiers'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { queryClient, toastFailure } from '#api/queryClient.ts'
import { editable } from '#lib/editorText.ts'
import { LeaveGuard } from '#parts/entityEditor/LeaveGuard.tsx'
import { useReview } from '#parts/entityEditor/useReview.tsx'
import { offerUndo } from '#parts/offerUndo.ts'
import { toast } from '#ui/toast.ts'
import { useIsMounted } from '#ui/useIsMounted.ts'
import { explain } from './explain.ts'
import { flagNameOf } from './flagName.ts'
import { reviewUnseen } from './review.tsx'
import { permissionOf } from './permissionOf.ts'
import { tierTexts } from './texts.ts'

interface Change {
  tier: Tier
  flag: string
  value: boolean | number
  isUndo?: boolean
}

/**
 * Saves one permission of a tier, and offers to undo it. If users would gain or lose a permission, a preview names them
 * first. Changes made while another one is being saved follow it, each against the version that is then on screen. Those
 * that have not been sent when the screen is left are dropped, after a question.
 */
export function useSavePermission() {
  const { mutateAsync } = useMutation({
    mutationFn: ({ tier, ...change }: Change) => {
      const body = changed(tier, change)
      return explain(() => call(tiersApi.update, { id: tier._id, body, base: tier.version }), body)
    },
    meta: { quiet: true },
    onSuccess: (tier, { tier: before, flag, value, isUndo }) => {
      const { matrix } = tierTexts.get()
      const message = matrix.saved(tier.name, flagNameOf(flag), value)
      const old = permissionOf(before.permissions, flag)
      const undone = { tier, flag, value: typeof value === 'number' ? old : old > 0, isUndo: true }
      if (isUndo) toast.success(message)
      else offerUndo(message, () => saveInTurn(undone))
    },
    onError: (error) => {
      const { editor, matrix } = tierTexts.get()
      const isStale = error instanceof ApiError && error.status === 412
      toastFailure(editor.updateFailed, error, isStale ? matrix.stale : undefined)
    },
  })
  const { review, question } = useReview(reviewUnseen)
  const isMounted = useIsMounted()
  const unsent = useRef(new Set<Change>())
  const saveNow = async (change: Change) => {
    const tiers = queryClient.getQueryData(q(tiersApi.list).queryKey)?.data
    const tier = tiers?.find(({ _id }) => _id === change.tier._id) ?? change.tier
    if (permissionOf(tier.permissions, change.flag) === Number(change.value)) return
    let saved: Promise<unknown> | undefined
    const send = () => {
      // An undo is a press on a toast, which stays when the screen is left.
      if (!isMounted() && !change.isUndo) return
      unsent.current.delete(change)
      saved = mutateAsync({ ...change, tier })
      return saved
    }
    await (change.isUndo ? send() : review(changed(tier, change), tier._id, send))
    // The question may have been closed before.
    await saved
  }
  const [unsaved, setUnsaved] = useState<Change[]>([])
  const turn = useRef(Promise.resolve())
  const saveInTurn = (change: Change): Promise<void> => {
    setUnsaved((others) => [...others, change])
    unsent.current.add(change)
    const saved = turn.current.then(() => saveNow(change))
    const end = () => {
      unsent.current.delete(change)
      setUnsaved((all) => all.filter((each) => each !== change))
    }
    turn.current = saved.then(end, end)
    return saved
  }
  // A toast says why one was not saved.
  const save = (change: Change) => void saveInTurn(change).catch(() => undefined)
  const isSaving = ({ _id }: Tier, flag: string) =>
    unsaved.some((change) => change.tier._id === _id && change.flag === flag)
  const questions = (
    <>
      <LeaveGuard unsaved={() => unsent.current.size > 0} question={tierTexts.use().matrix.leave} />
      {question}
    </>
  )
  return { save, isSaving, questions }
}

/** The request body with the changed permission. */
function changed(tier: Tier, { flag, value }: Pick<Change, 'flag' | 'value'>): TierInput {
  const { customPermissions = {}, ...permissions } = tier.permissions
  const isOwn = Object.hasOwn(customPermissions, flag) || !Object.hasOwn(permissions, flag)
  const next = isOwn
    ? { ...tier.permissions, customPermissions: { ...customPermissions, [flag]: value === true } }
    : { ...tier.permissions, [flag]: value }
  // Only one value of the stored tier was replaced, by another of the same type.
  return editable(TierInput, { ...tier, permissions: next }) as TierInput
}
