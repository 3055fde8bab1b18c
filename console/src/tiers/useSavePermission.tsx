import { ApiError } from '@mokuroku/contract/call'
import { type Tier, TierInput, tiersApi } from '@mokuroku/contract/tiers'
import { useMutation } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { toastFailure } from '#api/queryClient.ts'
import { editable } from '#lib/editorText.ts'
import { useReview } from '#parts/entityEditor/useReview.tsx'
import { offerUndo } from '#parts/offerUndo.ts'
import { toast } from '#ui/toast.ts'
import { explain } from './explain.ts'
import { flagNameOf } from './flagName.ts'
import { reviewUnseen } from './review.tsx'
import { permissionOf } from './permissionOf.ts'
import { tierTexts } from './texts.ts'

interface Change {
  tier: Tier
  flag: string
  value: boolean | number
}

/**
 * Saves one permission of a tier against the version on screen, and offers to undo it. If users would gain or lose
 * a permission, a preview names them first.
 */
export function useSavePermission() {
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: ({ tier, ...change }: Change & { isUndo?: boolean }) => {
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
      else offerUndo(message, () => mutateAsync(undone))
    },
    onError: (error) => {
      const { editor, matrix } = tierTexts.get()
      const isStale = error instanceof ApiError && error.status === 412
      toastFailure(editor.updateFailed, error, isStale ? matrix.stale : undefined)
    },
  })
  const { review, isReviewing, question } = useReview(reviewUnseen)
  const save = (change: Change) => review(changed(change.tier, change), change.tier._id, () => mutate(change))
  return { save, isSaving: isPending || isReviewing, question }
}

/** The request body with the changed permission. */
function changed(tier: Tier, { flag, value }: Omit<Change, 'tier'>): TierInput {
  const { customPermissions = {}, ...permissions } = tier.permissions
  const isOwn = Object.hasOwn(customPermissions, flag) || !Object.hasOwn(permissions, flag)
  const next = isOwn
    ? { ...tier.permissions, customPermissions: { ...customPermissions, [flag]: value === true } }
    : { ...tier.permissions, [flag]: value }
  // Only one value of the stored tier was replaced, by another of the same type.
  return editable(TierInput, { ...tier, permissions: next }) as TierInput
}
