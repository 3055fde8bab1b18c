import { useState } from 'react'
import type { Fields } from '#lib/editorText.ts'
import type { Editor, Question } from '#parts/area/area.ts'
import { Confirm } from '#ui/Confirm.tsx'
import { useIsMounted } from '#ui/useIsMounted.ts'

/**
 * A kind's confirmation before saving: `review` calls `go` when confirmed, or if none is needed; render `question`.
 * `isReviewing` until it is known whether one is needed. `review` resolves when `go` has, or when it was cancelled: also
 * if the screen that would ask has been left.
 */
export function useReview(ask: Editor<never>['review']) {
  const [pending, setPending] = useState<Question & { go: () => unknown; close: () => void }>()
  const [isReviewing, setReviewing] = useState(false)
  const isMounted = useIsMounted()
  const review = async (body: Fields, id: string | undefined, go: () => unknown): Promise<void> => {
    if (!ask) return void (await go())
    setReviewing(true)
    let going: unknown
    try {
      const question = await ask(body, id)
      if (question && !isMounted()) return
      going = question ? new Promise<void>((close) => setPending({ ...question, go, close })) : go()
    } finally {
      setReviewing(false)
    }
    await going
    setPending(undefined)
  }
  const question = pending && (
    <Confirm title={pending.title} confirm={pending.confirm} onConfirm={pending.go} onClose={pending.close}>
      {pending.body}
    </Confirm>
  )
  return { review, isReviewing, question }
}
