import type { Asset } from '@mokuroku/contract/assets'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useEffect, useEffectEvent, useState } from 'react'
import { sendImage } from '#api/upload.ts'
import { pendingValue, useTurns } from '#parts/pendingValues.ts'
import { toast } from '#ui/toast.ts'
import { isCovered, isTyping } from '#ui/useShortcut.ts'
import { imageTexts } from './texts.ts'
import { useUploadRefusal } from './useUploadRefusal.ts'

/**
 * Uploads an image that is chosen, dropped on the element with `dropProps`, or pasted anywhere on the screen; takes none
 * if `isOff`. `refusal` is why the user may not upload.
 */
export function useImageUpload(onUploaded: (asset: Asset) => void, isOff = false) {
  const texts = imageTexts.use()
  const refusal = useUploadRefusal()
  const [uploaded, setUploaded] = useState<readonly Asset[]>([])
  const [percent, setPercent] = useState(0)
  const [isOver, setOver] = useState(false)
  const turns = useTurns()
  const { mutate, isPending } = useMutation({
    mutationKey: pendingValue('upload'),
    mutationFn: ({ file }: { file: File; turn: number }) =>
      sendImage(file, (bytes) => setPercent(Math.min(100, Math.round((100 * bytes) / (file.size || 1))))),
    meta: { failure: texts.uploadFailed },
    onMutate: () => setPercent(0),
    onSuccess: (asset, { turn }) => {
      setUploaded((before) => [asset, ...before])
      if (turns.isLatest(turn)) onUploaded(asset)
      toast.success(texts.uploaded)
    },
  })
  const take = (files: Iterable<File> | undefined) => {
    // Systems know no type of newer formats: the server decides.
    const [image, ...others] = [...(files ?? [])].filter(({ type }) => type === '' || type.startsWith('image/'))
    if (isOff || !image) return false
    if (refusal || isPending) toast.info(refusal ?? texts.wait)
    else if (others.length > 0) toast.info(texts.oneImage)
    else mutate({ file: image, turn: turns.next() })
    return true
  }
  useFilePaste(take)
  return {
    refusal,
    /** To be called when another image is chosen: one that is being uploaded does not replace it. */
    onOther: turns.next,
    /** The uploaded images, newest first. */
    uploaded,
    isPending,
    percent,
    take,
    dropProps: {
      'data-over': isOver || undefined,
      onDragOver: (event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        if (!take(event.dataTransfer.files)) toast.info(texts.notImage)
      },
    },
  }
}
export type ImageUpload = ReturnType<typeof useImageUpload>

/** Handles files pasted anywhere on the screen, unless a dialog covers it; `take` returns whether it accepts them. */
function useFilePaste(take: (files: Iterable<File> | undefined) => boolean) {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData } = event
    // Spreadsheets and word processors copy a picture along with the text.
    const isText = isTyping(target) && clipboardData?.getData('text/plain')
    if (!isText && !isCovered() && take(clipboardData?.files)) event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onPaste(event)
    document.addEventListener('paste', listener)
    return () => document.removeEventListener('paste', listener)
  }, [])
}
