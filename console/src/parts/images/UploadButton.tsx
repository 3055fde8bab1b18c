import { ImageUp } from 'lucide-react'
import { FileButton } from '#ui/FileButton.tsx'
import { imageTexts } from './texts.ts'
import type { ImageUpload } from './useImageUpload.ts'

/** Button that uploads an image file, with its progress. */
export function UploadButton({ upload: { isPending, percent, refusal, take } }: { upload: ImageUpload }) {
  const texts = imageTexts.use()
  return (
    <FileButton
      size="small"
      icon={ImageUp}
      accept="image/*"
      label={texts.upload}
      busy={isPending}
      reason={refusal}
      onFile={(file) => take([file])}
    >
      {isPending ? texts.uploading(percent) : texts.upload}
    </FileButton>
  )
}
