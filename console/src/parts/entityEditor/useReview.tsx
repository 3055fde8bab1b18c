import { useState } from 'react'
import type { Fields } from '#lib/editorText.ts'
import type { Editor, Question } from '#parts/area/area.ts'
import { Confirm } from '#ui/Confirm.tsx'

/**
 * A kind's confirmation before saving: `review` calls `go` when confirmed, or if none is needed; render `question`.
 * `isReviewing` until it is known whether one is needed.
 */
export function useReview(ask: Editor<never>['review']) {
  const [pending, setPending] = useState<Question & { go: () => void }>()
  const [isReviewing, setReviewing] = useState(false)
  const review = (body: Fields, id: string | undefined, go: () => void) => {
    if (!ask) return go()
    setReviewing(true)
    void ask(body, id)
      .then((question) => (question ? setPending({ ...question, go }) : go()))
      .finally(() => setReviewing(false))
  }
  const question = pending && (
    <Confirm
      title={pending.title}
      confirm={pending.confirm}
      onConfirm={pending.go}
      onClose={() => setPending(undefined)}
    >
      {pending.body}
    </Confirm>
  )
  return { review, isReviewing, question }
}
