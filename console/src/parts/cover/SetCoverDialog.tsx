import { mediaApi } from '@mokuroku/contract/media'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { useMessages } from '#i18n/messages.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { useRecentMedia } from '#parts/useRecentMedia.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import { coverTexts } from './texts.ts'
import { useSetCover } from './useSetCover.ts'

interface Props {
  /** The image. */
  asset: { _id: string; filename: string }
  onClose: () => void
}

/** Chooses the media item whose cover the image becomes, with a search in any script. */
export function SetCoverDialog({ asset, onClose }: Props) {
  const texts = coverTexts.use()
  const { media: messages } = useMessages()
  const refusalOf = useRefusal()
  const [text, setText] = useState('')
  const { set, isSetting } = useSetCover(onClose)
  const { mutate: choose, isPending } = useMutation({
    // Fetched again, because the search result may be out of date.
    mutationFn: (id: string) => call(mediaApi.find, { id }),
    meta: { failure: texts.failed },
    onSuccess: (media) => {
      const refusal = refusalOf('edit', 'Media', media.createdBy)
      if (refusal) toast.info(refusal)
      else set(media, asset._id)
    },
  })
  const isBusy = isPending || isSetting
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <Stack gap={3}>
        <Muted as="p">{texts.help}</Muted>
        <SearchSelect
          index="media"
          takesFirst
          label={texts.search}
          placeholder={texts.hint}
          text={text}
          onText={setText}
          onChoose={({ _id }) => !isBusy && choose(_id)}
          recentTitle={messages.recent}
          {...useRecentMedia()}
        />
        <p role="status">{isBusy && texts.setting}</p>
      </Stack>
    </Dialog>
  )
}
