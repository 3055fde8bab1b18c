import { commentsApi } from '@mokuroku/contract/comments'
import { isTranslated } from '@mokuroku/contract/kinds'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { q } from '#api/query.ts'
import { Button } from '#ui/Button.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import { texts as area } from './texts.ts'

const load = () => import('./CommentsDialog.tsx')
const CommentsDialog = lazyOverlay(load, 'CommentsDialog')

interface Props {
  kind: string
  id: string
}

/** Shows how many comments on an entity are open; opens the dialog when pressed, or if the URL has `comments`. */
export function CommentsButton({ kind, id }: Props) {
  const texts = area.use()
  const button = useRef<HTMLButtonElement>(null)
  const { comments }: { comments?: unknown } = useSearch({ strict: false })
  const [opened, setOpened] = useState(comments !== undefined)
  const [lastComments, setLastComments] = useState(comments)
  // A notification may link to the screen that is already shown.
  if (lastComments !== comments) {
    setLastComments(comments)
    setOpened(comments !== undefined)
  }
  // Restores the focus when the dialog closes, even if the URL opened it.
  useEffect(() => {
    const opener = opened ? button.current : undefined
    return () => opener?.focus()
  }, [opened])
  const entityType = isTranslated(kind) ? kind : undefined
  const counts = useQuery({
    ...q(commentsApi.counts, { query: { entityType: entityType ?? 'Media', ids: id } }),
    enabled: entityType !== undefined,
    meta: { quiet: true },
  })
  if (!entityType) return undefined
  const fetchSoon = () => void load().catch(() => undefined)
  return (
    <>
      <Button
        ref={button}
        icon={MessageSquare}
        onClick={() => setOpened(true)}
        onPointerEnter={fetchSoon}
        onFocus={fetchSoon}
      >
        {texts.button(counts.data?.data[0]?.open ?? 0)}
      </Button>
      {opened && (
        <Suspense>
          <CommentsDialog
            entityType={entityType}
            entityId={id}
            at={typeof comments === 'string' ? comments : undefined}
            onClose={() => setOpened(false)}
          />
        </Suspense>
      )}
    </>
  )
}
