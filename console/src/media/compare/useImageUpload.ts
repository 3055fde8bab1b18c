import type { Asset } from '@mokuroku/contract/assets'
import { useMutation } from '@tanstack/react-query'
import { sendImage } from '#api/upload.ts'
import { useUploadRefusal } from '#parts/images/useUploadRefusal.ts'
import { pendingValue } from '#parts/pendingValues.ts'
import { toast } from '#ui/toast.ts'
import { compareTexts } from './texts.ts'

interface Upload {
  /** The name that the toast reports. */
  name: string
  file: File
  use: (asset: Asset) => unknown
}

/** Uploads one image at a time and reports the result in a toast. `refusal` is why the user may not upload. */
export function useImageUpload() {
  const texts = compareTexts.use()
  const { mutate, isPending } = useMutation({
    mutationKey: pendingValue('upload'),
    mutationFn: async ({ file, use }: Upload) => use(await sendImage(file)),
    meta: { failure: texts.uploadFailed },
    onSuccess: (_, { name }) => toast.success(texts.uploaded(name)),
  })
  return { busy: isPending, refusal: useUploadRefusal(), upload: mutate }
}
