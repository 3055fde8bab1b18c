import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#ui/Button.tsx'
import { imageTexts } from './texts.ts'
import type { ImageUpload } from './useImageUpload.ts'

/** Button that uploads an image file, with its progress. */
export function UploadButton({ upload: { isPending, percent, refusal, take } }: { upload: ImageUpload }) {
  const texts = imageTexts.use()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button size="small" icon={ImageUp} busy={isPending} reason={refusal} onClick={() => input.current?.click()}>
        {isPending ? texts.uploading(percent) : texts.upload}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={texts.upload}
        onChange={({ currentTarget }) => {
          take(currentTarget.files ?? undefined)
          // Allows choosing the same file again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
