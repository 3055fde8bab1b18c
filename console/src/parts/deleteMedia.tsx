import { dashboardApi } from '@mokuroku/contract/dashboard'
import { type MediaRow, mediaApi } from '@mokuroku/contract/media'
import { searchApi } from '@mokuroku/contract/search'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { changed } from '#api/query.ts'
import { messages, useMessages } from '#i18n/messages.ts'
import { Confirm } from '#ui/Confirm.tsx'
import { toast } from '#ui/toast.ts'
import css from './deleteMedia.module.css'
import { useTitleOf } from './titles.ts'

const refresh = () =>
  changed(mediaApi.list, mediaApi.find, searchApi.search, dashboardApi.stats, dashboardApi.recentActivities)

/**
 * Deleting a media: `ask` opens the question, `question` is where it stands. Afterwards a toast offers to undo it.
 * `onDone` runs when it is deleted, before what shows it is asked again.
 */
export function useDeleteMedia(onDone?: () => unknown) {
  const { media: texts, common } = useMessages()
  const titleOf = useTitleOf()
  const [asked, setAsked] = useState<MediaRow>()
  const restore = useMutation({
    mutationFn: (id: string) => call(mediaApi.restore, { id }),
    meta: { failure: texts.restoreFailed },
    onSuccess: () => toast.success(messages().media.restored),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: ({ _id, version }: MediaRow) => call(mediaApi.remove, { id: _id, base: version }),
    meta: { failure: texts.deleteFailed },
    onSuccess: async (_done, { _id }) => {
      toast.undo(texts.deleted, () => restore.mutate(_id))
      await onDone?.()
    },
    onSettled: refresh,
  })
  const title = asked && titleOf(asked)
  const question = asked && (
    <Confirm
      title={texts.deleteTitle}
      confirm={common.delete}
      onConfirm={() => remove.mutateAsync(asked)}
      onClose={() => {
        setAsked(undefined)
        requestAnimationFrame(keepPlace)
      }}
    >
      <p>{texts.deleteQuestion}</p>
      <p className={css.title} lang={title?.lang}>
        {title?.text}
      </p>
      <p className={css.hint}>{texts.deleteHint}</p>
    </Confirm>
  )
  return { ask: setAsked, question }
}

/** The button that asked is gone with its row: the focus goes to the screen instead of nowhere. */
function keepPlace() {
  if (document.activeElement === document.body) document.querySelector('main')?.focus()
}
