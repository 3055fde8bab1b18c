import { ApiError, type FieldError } from '@mokuroku/contract/call'
import { type Rating, type RatingInput, ratingsApi } from '@mokuroku/contract/ratings'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#api/call.ts'
import { refreshed, toastFailure } from '#api/queryClient.ts'
import { versionConflictOf } from '#lib/versionConflict.ts'
import { toast } from '#ui/toast.ts'
import { ratingTexts } from './texts.ts'

/** What somebody else has saved since the edit started. */
interface Theirs {
  score: number
  comment: string
  version: number
}

const Saved = z.object({ score: z.number(), comment: z.string() })

/**
 * Saves a rating against the version that the edit started from. On a conflict nothing is saved: `theirs` is the stored
 * rating, and saving again overwrites it.
 */
export function useSaveRating(rating: Rating, onSaved: () => void) {
  const [theirs, setTheirs] = useState<Theirs>()
  const [fault, setFault] = useState<FieldError>()
  const { version: base, score, comment } = theirs ?? rating
  const { mutate, isPending } = useMutation({
    mutationFn: (body: RatingInput) => call(ratingsApi.update, { id: rating._id, body, base }),
    meta: { quiet: true },
    onMutate: () => setFault(undefined),
    onSuccess: async (saved) => {
      const texts = ratingTexts.get()
      toast.success(texts.updated)
      if (saved.version > base + 1) toast.info(texts.merged)
      // Wait for the refetch before closing, so that the screen shows what was saved.
      await refreshed()
      onSaved()
    },
    onError: (error) => {
      const stale = versionConflictOf(error)
      const saved = z.safeParse(Saved, stale?.theirs)
      if (stale && saved.success) return setTheirs({ ...saved.data, version: stale.version })
      if (error instanceof ApiError) setFault(error.errors?.[0])
      toastFailure(ratingTexts.get().updateFailed, error)
    },
  })
  return {
    /** `change` has only the edited fields; the others are sent as they were last read. */
    save: (change: Partial<RatingInput>) => !isPending && mutate({ score, comment, ...change }),
    isPending,
    theirs,
    fault,
  }
}
