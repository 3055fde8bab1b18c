import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isDoneByOthers } from '#api/call.ts'
import { useMessages } from '#i18n/messages.ts'
import type { Text } from '#lib/text.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { Confirm } from '#ui/Confirm.tsx'
import { toast } from '#ui/toast.ts'
import { useIsMounted } from '#ui/useIsMounted.ts'
import css from './useDelete.module.css'

/** Texts of the delete dialog and its toasts. */
export interface DeleteTexts {
  deleteTitle: string
  deleteQuestion: string
  deleteHint: string
  deleted: string
  restored: string
  deleteFailed: string
  restoreFailed: string
}

interface Props<Entity> {
  texts: DeleteTexts
  nameOf: (entity: Entity) => Text
  remove: (entity: Entity) => Promise<unknown>
  restore: (id: string) => Promise<unknown>
  /**
   * Called after deleting, before queries are refetched, so that a screen of the entity can navigate away first, unless
   * the user has left it meanwhile.
   */
  onDone?: (() => unknown) | undefined
  /** Further content of the dialog, such as where the entity is used. */
  more?: (entity: Entity) => ReactNode
}

/** Deletes an entity: `ask` opens the confirmation dialog; render `question` as the dialog. A toast offers to undo. */
export function useDelete<Entity extends { _id: string }>(props: Props<Entity>) {
  const { texts, nameOf, remove, restore, onDone, more } = props
  const { common } = useMessages()
  const [asked, ask] = useState<Entity>()
  const isMounted = useIsMounted()
  const undo = useMutation({
    mutationFn: restore,
    meta: { failure: texts.restoreFailed },
    onSuccess: () => toast.success(texts.restored),
  })
  const removal = useMutation({
    mutationFn: remove,
    meta: { failure: texts.deleteFailed },
    onSuccess: async (done, { _id }) => {
      if (isDoneByOthers(done)) toast.info(texts.deleted)
      else offerUndo(texts.deleted, () => undo.mutateAsync(_id))
      if (isMounted()) await onDone?.()
    },
  })
  const name = asked && nameOf(asked)
  const question = asked && (
    <Confirm
      title={texts.deleteTitle}
      confirm={common.delete}
      onConfirm={() => removal.mutateAsync(asked)}
      onClose={() => ask(undefined)}
    >
      <p>{texts.deleteQuestion}</p>
      <p className={css.name} lang={name?.lang}>
        {name?.text}
      </p>
      {more?.(asked)}
      <p className={css.hint}>{texts.deleteHint}</p>
    </Confirm>
  )
  return { ask, question }
}
