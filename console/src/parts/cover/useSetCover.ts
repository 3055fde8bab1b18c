import { ApiError } from '@mokuroku/contract/call'
import { type Media, mediaApi, MediaInput } from '@mokuroku/contract/media'
import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { call } from '#api/call.ts'
import { toastFailure } from '#api/queryClient.ts'
import { useLanguage } from '#i18n/messages.ts'
import { editable } from '#lib/editorText.ts'
import { titleOf } from '#parts/titles.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { toast } from '#ui/toast.ts'
import { coverTexts } from './texts.ts'

interface Change {
  media: Media
  /** Id of an image; '' for none. */
  cover: string
  isUndo?: boolean
}

/** Saves the cover of a media item against the version on screen, and offers to undo it. */
export function useSetCover(onDone?: () => void) {
  const language = useLanguage()
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: ({ media, cover }: Change) =>
      call(mediaApi.update, { id: media._id, body: withCover(media, cover), base: media.version }),
    meta: { quiet: true },
    onSuccess: (saved, { media, isUndo }) => {
      const texts = coverTexts.get()
      const title = titleOf(saved, language).text
      if (isUndo) toast.success(texts.undone(title))
      else offerUndo(texts.done(title), () => mutateAsync({ media: saved, cover: coverIdOf(media), isUndo: true }))
      onDone?.()
    },
    onError: (error) => {
      const texts = coverTexts.get()
      const { status, errors } = error instanceof ApiError ? error : {}
      const isGone = errors?.some(({ path, code }) => path === 'cover' && code === 'notThere')
      toastFailure(texts.failed, error, isGone ? texts.gone : status === 412 ? texts.stale : undefined)
    },
  })
  return { set: (media: Media, cover: string) => mutate({ media, cover }), isSetting: isPending }
}

/** Id of the cover image; '' if there is none. */
export const coverIdOf = ({ cover }: Pick<Media, 'cover'>): string => (cover === '' ? '' : cover._id)

/** The request body; concurrent changes by others are merged by the server. */
const withCover = (media: Media, cover: string): MediaInput =>
  z.parse(MediaInput, { ...editable(MediaInput, { ...media }), cover })
