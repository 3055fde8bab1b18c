import type { Asset } from '@mokuroku/contract/assets'
import { useState } from 'react'
import { messageOf } from '#api/errors.ts'
import { sendImage } from '#api/upload.ts'
import { toast } from '#ui/toast.ts'
import { compareTexts } from './texts.ts'

/** Uploads one image at a time and reports the result in a toast; `busy` is the key of the upload in progress. */
export function useImageUpload() {
  const [busy, setBusy] = useState<string>()
  const upload = async (key: string, name: string, file: File, use: (asset: Asset) => unknown) => {
    setBusy(key)
    const texts = compareTexts.now()
    try {
      const asset = await sendImage(file)
      await use(asset)
      toast.success(texts.uploaded(name))
    } catch (error) {
      console.error(error)
      toast.error(texts.uploadFailed, messageOf(error))
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, upload }
}
