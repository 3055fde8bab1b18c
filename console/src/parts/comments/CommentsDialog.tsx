import { type Comment, commentsApi, MAX_COMMENT_CHARS } from '@mokuroku/contract/comments'
import type { Translated } from '@mokuroku/contract/kinds'
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import { MessageSquare } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useStoredState } from '#parts/useStoredState.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { CommentForm } from './CommentForm.tsx'
import { CommentItem } from './CommentItem.tsx'
import css from './Comments.module.css'
import { texts as area } from './texts.ts'

interface Props {
  entityType: Translated
  entityId: string
  /** The id of the comment to scroll to, if it is among the newest. */
  at: string | undefined
  onClose: () => void
}

/** Comments per page. */
const LIMIT = 100
/** In the URL instead of an id: links to all open comments. */
const ALL_OPEN = 'open'

/**
 * The open comments on an entity, a form for a new one, and the resolved ones. Unsent text is kept for the next time.
 */
export function CommentsDialog({ entityType, entityId, at, onClose }: Props) {
  const texts = area.use()
  const [withResolved, setWithResolved] = useState(false)
  const isResolved = useIsResolved({ entityType, entityId, at })
  const [text, setText, isStored] = useStoredState(`comment on ${entityId}`, '')
  const mutationKey = [commentsApi.create.path, entityId]
  const add = useMutation({
    mutationKey,
    mutationFn: () => call(commentsApi.create, { body: { entityType, entityId, text } }),
    meta: { failure: texts.sendFailed },
    onSuccess: () => {
      setText('')
      toast.success(texts.isSent)
    },
  })
  // The dialog may have been closed and opened again since.
  const isSending = useIsMutating({ mutationKey }) > 0
  const [wasSending, setWasSending] = useState(isSending)
  if (isSending !== wasSending) {
    setWasSending(isSending)
    if (!isSending && !add.isError && !isStored()) setText('')
  }
  return (
    <Dialog title={texts.comments} onClose={onClose}>
      <Stack gap={4}>
        <Thread
          {...{ entityType, entityId, at }}
          state="open"
          empty={<EmptyState icon={MessageSquare} title={texts.none} hint={texts.noneHint} />}
        />
        <CommentForm
          label={texts.write}
          text={text}
          onText={setText}
          busy={isSending}
          onSend={() => add.mutate()}
          send={texts.send}
          max={MAX_COMMENT_CHARS}
        />
        <details
          className={css.resolved}
          open={isResolved}
          onToggle={(event) => event.currentTarget.open && setWithResolved(true)}
        >
          <summary>{texts.resolved}</summary>
          {(withResolved || isResolved) && (
            <Thread
              {...{ entityType, entityId, at }}
              state="resolved"
              empty={<Muted as="p">{texts.noneResolved}</Muted>}
            />
          )}
        </details>
      </Stack>
    </Dialog>
  )
}

type Asked = Omit<Props, 'onClose'>

/** The newest comments first. */
const pageOf = ({ entityType, entityId }: Asked, state: 'open' | 'resolved', page = 1) => ({
  query: { entityType, entityId, state, sort: '-createdAt' as const, limit: LIMIT, page },
})

/** Whether the comment that the dialog was opened to show had been resolved by then: it is not among the open ones. */
function useIsResolved(asked: Asked): boolean {
  const [isResolved, setResolved] = useState<boolean>()
  const isOne = asked.at !== undefined && asked.at !== ALL_OPEN
  const { data, isFetchedAfterMount } = useQuery({
    ...q(commentsApi.list, pageOf(asked, 'open')),
    enabled: isOne && isResolved === undefined,
    staleTime: 0,
    meta: { quiet: true },
  })
  if (isOne && isResolved === undefined && data && isFetchedAfterMount)
    setResolved(data.data.length < LIMIT && !data.data.some(({ _id }) => _id === asked.at))
  return isResolved ?? false
}

interface ThreadProps extends Asked {
  state: 'open' | 'resolved'
  /** Shown if there are none. */
  empty: ReactNode
}

/** The open or resolved comments, oldest first. The newest are loaded first, then earlier ones page by page. */
function Thread({ entityType, entityId, at, state, empty }: ThreadProps) {
  const [pages, setPages] = useState(1)
  return (
    <Stack gap={4}>
      {Array.from({ length: pages }, (_, index) => pages - index).map((page) => (
        <Page
          key={page}
          {...pageOf({ entityType, entityId, at }, state, page)}
          {...{ at, empty }}
          {...(page === pages && { onEarlier: () => setPages(pages + 1) })}
        />
      ))}
    </Stack>
  )
}

interface PageProps extends Pick<ThreadProps, 'at' | 'empty'> {
  query: Pick<ThreadProps, 'entityType' | 'entityId' | 'state'> & { sort: '-createdAt'; limit: number; page: number }
  /** Loads the comments before these. */
  onEarlier?: () => void
}

function Page({ query, at, empty, onEarlier }: PageProps) {
  const texts = area.use()
  const page = useQuery({ ...q(commentsApi.list, { query }), staleTime: 0, meta: { quiet: true } })
  const [edited, setEdited] = useState<readonly Comment[]>([])
  return (
    <Loaded query={page} failed={texts.failed} loading={texts.loading} skeleton={<SkeletonLines lines={4} />}>
      {({ data }) => (
        <>
          {onEarlier && data.length === LIMIT && (
            <Button size="small" variant="quiet" onClick={onEarlier}>
              {texts.earlier}
            </Button>
          )}
          {data.length === 0 && edited.length === 0 && query.page === 1 && empty}
          {(data.length > 0 || edited.length > 0) && (
            <Stack as="ol" gap={4} aria-label={texts[query.state]}>
              {withEdited(data, edited).map((comment) => (
                <CommentItem
                  key={comment._id}
                  comment={comment}
                  entity={query}
                  isAsked={comment._id === at}
                  isEditing={edited.some(({ _id }) => _id === comment._id)}
                  onEdit={(on) =>
                    setEdited((now) => [...now.filter(({ _id }) => _id !== comment._id), ...(on ? [comment] : [])])
                  }
                />
              ))}
            </Stack>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Oldest first. Comments that are being edited stay, even if others have deleted, resolved or reopened them. */
const withEdited = (comments: readonly Comment[], edited: readonly Comment[]): Comment[] =>
  [...comments, ...edited.filter(({ _id }) => !comments.some((each) => each._id === _id))].toSorted((one, other) =>
    one._id < other._id ? -1 : 1,
  )
