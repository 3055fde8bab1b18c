import type { Asset } from '@mokuroku/contract/assets'
import { useMutation } from '@tanstack/react-query'
import { Replace } from 'lucide-react'
import { useRef } from 'react'
import { sendReplacement } from '#api/upload.ts'
import { Button } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { useAssetRights } from './rights.ts'
import { assetTexts } from './texts.ts'

const ACCEPTED = { IMAGE: 'image/*', VIDEO: 'video/*', AUDIO: 'audio/*' }

/** Replaces the file of this asset: everything that uses the asset shows the new file. */
export function ReplaceFile({ asset, reason }: { asset: Asset; reason: string | undefined }) {
  const texts = assetTexts.use()
  const { maxBytes } = useAssetRights()
  const input = useRef<HTMLInputElement>(null)
  const replace = useMutation({
    mutationFn: (file: File) =>
      sendReplacement(asset, file, { signal: new AbortController().signal, onProgress: () => undefined }),
    meta: { failure: texts.replaceFailed },
    onSuccess: () => toast.success(assetTexts.get().replaced),
  })
  const choose = (file: File | undefined) => {
    if (file && file.size > maxBytes) toast.error(texts.replaceFailed, texts.upload.tooLarge(maxBytes))
    else if (file) replace.mutate(file)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED[asset.type]}
        aria-label={texts.replace}
        onChange={({ currentTarget }) => {
          choose(currentTarget.files?.[0])
          currentTarget.value = ''
        }}
      />
      <Button icon={Replace} busy={replace.isPending} reason={reason} onClick={() => input.current?.click()}>
        {texts.replace}
      </Button>
    </>
  )
}
