import {
  type Comment,
  type CommentChange,
  type CommentInput,
  commentsApi,
  MAX_COMMENT_CHARS,
} from '@mokuroku/contract/comments'
import { useMutation } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { call } from '#api/call.ts'
import { toastFailure } from '#api/queryClient.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import { guessLanguage } from '#lib/text.ts'
import { versionConflictOf } from '#lib/versionConflict.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { ConflictNotice } from '#parts/ConflictNotice.tsx'
import { useStoredState } from '#parts/useStoredState.ts'
import { Button } from '#ui/Button.tsx'
import { Confirm } from '#ui/Confirm.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import { CommentForm } from './CommentForm.tsx'
import css from './Comments.module.css'
import { texts as area } from './texts.ts'

interface Props {
  comment: Comment
  /** The entity on screen; that of the comment may have been merged into it. */
  entity: Pick<CommentInput, 'entityType' | 'entityId'>
  /** Whether the dialog was opened to show this comment. */
  isAsked: boolean
  isEditing: boolean
  onEdit: (isEditing: boolean) => void
}

/** One comment, with the actions that the user may take. */
export function CommentItem({ comment, entity, isAsked, isEditing, onEdit }: Props) {
  const texts = area.use()
  const locale = useLanguage()
  const { author, text, mentions, createdAt, editedAt, resolvedAt, resolvedBy } = comment
  const name = author.username || texts.anonymous
  const moment = longDateTime(createdAt, locale)
  // An edit that was begun earlier is shown again, and leaves the focus where it is.
  const [isOpened, setOpened] = useState(false)
  return (
    <Row as="li" ref={isAsked ? shown : undefined} gap={3} align="start">
      <Avatar name={name} url={author.avatar} />
      <Stack gap={1} className={css.what}>
        <Row gap={2} align="baseline" wrap>
          <strong lang={guessLanguage(author.username)}>{name}</strong>
          <Muted small>
            <time dateTime={createdAt}>{moment}</time>
            {editedAt && ` · ${texts.edited}`}
          </Muted>
        </Row>
        {isEditing ? (
          <Editing {...{ comment, entity }} takesFocus={isOpened} onDone={() => onEdit(false)} />
        ) : (
          <>
            <p className={css.text} lang={guessLanguage(text)}>
              {marked(
                text,
                mentions.map(({ username }) => username),
              )}
            </p>
            {resolvedAt && resolvedBy && (
              <Muted as="p" small>
                {texts.resolvedBy(resolvedBy.username || texts.anonymous, longDateTime(resolvedAt, locale))}
              </Muted>
            )}
            <Actions
              comment={comment}
              nameOf={(action) => texts.actionOn(action, name, moment)}
              onEdit={() => {
                setOpened(true)
                onEdit(true)
              }}
            />
          </>
        )}
      </Stack>
    </Row>
  )
}

const shown = (item: HTMLElement | null) => item?.scrollIntoView({ block: 'center' })

const change = (id: string, body: CommentChange, base?: number) =>
  call(commentsApi.update, { id, body, ...(base !== undefined && { base }) })

interface ActionsProps {
  comment: Comment
  /** Accessible name of an action, which says on which comment it is. */
  nameOf: (action: string) => string
  onEdit: () => void
}

function Actions({ comment, nameOf, onEdit }: ActionsProps) {
  const texts = area.use()
  const { common } = useMessages()
  const [isConfirming, setConfirming] = useState(false)
  const { _id: id, resolvedAt, canEdit, canResolve, canDelete } = comment
  const decide = useMutation({
    mutationFn: () => change(id, { resolved: resolvedAt === null }),
    meta: { failure: texts.changeFailed },
    onSuccess: () => toast.success(resolvedAt === null ? texts.isResolved : texts.isReopened),
  })
  const removal = useMutation({
    mutationFn: () => call(commentsApi.remove, { id }),
    meta: { failure: texts.deleteFailed },
    onSuccess: () => toast.success(texts.isDeleted),
  })
  if (!canEdit && !canResolve && !canDelete) return undefined
  const decision = resolvedAt === null ? texts.resolve : texts.reopen
  return (
    <Row gap={1} wrap className={css.actions}>
      {canResolve && (
        <Button
          once
          size="small"
          variant="quiet"
          aria-label={nameOf(decision)}
          busy={decide.isPending}
          onClick={() => decide.mutate()}
        >
          {decision}
        </Button>
      )}
      {canEdit && (
        <Button size="small" variant="quiet" aria-label={nameOf(texts.edit)} onClick={onEdit}>
          {texts.edit}
        </Button>
      )}
      {canDelete && (
        <Button size="small" variant="quiet" aria-label={nameOf(common.delete)} onClick={() => setConfirming(true)}>
          {common.delete}
        </Button>
      )}
      {isConfirming && (
        <Confirm
          irreversible
          title={texts.deleteTitle}
          confirm={common.delete}
          onConfirm={() => removal.mutateAsync()}
          onClose={() => setConfirming(false)}
        >
          <p>{texts.deleteQuestion}</p>
        </Confirm>
      )}
    </Row>
  )
}

/**
 * A text that is being edited, the version that it is based on, and what happened meanwhile: what was saved in another
 * window, or that the comment was deleted.
 */
interface Typed {
  text: string
  base: number
  theirs?: string
  isGone?: boolean
}

interface EditingProps extends Pick<Props, 'comment' | 'entity'> {
  takesFocus: boolean
  onDone: () => void
}

function Editing({ comment, entity: { entityType, entityId }, takesFocus, onDone }: EditingProps) {
  const texts = area.use()
  const { common } = useMessages()
  const [typed, setTyped] = useStoredState<Typed | undefined>(`comment ${comment._id}`, undefined)
  const { text, base, theirs, isGone }: Typed = typed ?? { text: comment.text, base: comment.version }
  const close = () => {
    setTyped(undefined)
    onDone()
  }
  const save = useMutation({
    mutationFn: () =>
      isGone ? call(commentsApi.create, { body: { entityType, entityId, text } }) : change(comment._id, { text }, base),
    meta: { quiet: true },
    onSuccess: () => {
      close()
      toast.success(isGone ? texts.isSent : texts.isSaved)
    },
    onError: (error) => {
      const stale = versionConflictOf(error)
      if (stale) setTyped({ text, base: stale.version, theirs: String(stale.theirs.text) })
      else if (!isGone && isNotFound(error)) setTyped({ text, base, isGone: true })
      else toastFailure(isGone ? texts.sendFailed : texts.changeFailed, error)
    },
  })
  return (
    <Stack gap={2} ref={takesFocus ? focusField : undefined}>
      <CommentForm
        label={texts.editing}
        text={text}
        onText={(next) => setTyped({ ...typed, text: next, base })}
        busy={save.isPending}
        onSend={() => save.mutate()}
        send={isGone ? texts.sendAnew : common.save}
        max={MAX_COMMENT_CHARS}
      >
        <Button onClick={close}>{common.cancel}</Button>
      </CommentForm>
      {isGone && (
        <ConflictNotice>
          <p>{texts.gone}</p>
        </ConflictNotice>
      )}
      {theirs !== undefined && (
        <ConflictNotice>
          <p>{texts.stale}</p>
          <blockquote className={css.text} lang={guessLanguage(theirs)}>
            {theirs}
          </blockquote>
        </ConflictNotice>
      )}
    </Stack>
  )
}

const focusField = (form: HTMLElement | null) => {
  const field = form?.querySelector('textarea')
  field?.focus()
  field?.setSelectionRange(field.value.length, field.value.length)
}

/** The text with its mentions highlighted. */
function marked(text: string, names: string[]): ReactNode {
  // One name may be the beginning of another.
  const known = names
    .filter(Boolean)
    .map((name) => `@${name.toLowerCase()}`)
    .toSorted((one, two) => two.length - one.length)
  const parts: string[] = []
  for (let from = 0; from < text.length;) {
    const at = text.indexOf('@', from + 1)
    const end = at === -1 ? text.length : at
    parts.push(text.slice(from, end))
    from = end
  }
  return parts.map((part, at) => {
    const name = known.find((each) => part.toLowerCase().startsWith(each))
    if (!name) return part
    return (
      <Fragment key={at}>
        <span className={css.mention}>{part.slice(0, name.length)}</span>
        {part.slice(name.length)}
      </Fragment>
    )
  })
}
