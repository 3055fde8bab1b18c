import type { Asset } from '@mokuroku/contract/assets'
import { useMutation } from '@tanstack/react-query'
import { Replace } from 'lucide-react'
import { sendReplacement } from '#api/upload.ts'
import { FileButton } from '#ui/FileButton.tsx'
import { toast } from '#ui/toast.ts'
import { useAssetRights } from './rights.ts'
import { assetTexts } from './texts.ts'

const ACCEPTED = { IMAGE: 'image/*', VIDEO: 'video/*', AUDIO: 'audio/*' }

/** Replaces the file of this asset: everything that uses the asset shows the new file. */
export function ReplaceFile({ asset, reason }: { asset: Asset; reason: string | undefined }) {
  const texts = assetTexts.use()
  const { maxBytes } = useAssetRights()
  const replace = useMutation({
    mutationFn: (file: File) =>
      sendReplacement(asset, file, { signal: new AbortController().signal, onProgress: () => undefined }),
    meta: { failure: texts.replaceFailed },
    onSuccess: () => toast.success(assetTexts.get().replaced),
  })
  const choose = (file: File) => {
    if (file.size > maxBytes) toast.error(texts.replaceFailed, texts.upload.tooLarge(maxBytes))
    else replace.mutate(file)
  }
  return (
    <FileButton
      icon={Replace}
      accept={ACCEPTED[asset.type]}
      label={texts.replace}
      busy={replace.isPending}
      reason={reason}
      onFile={choose}
    >
      {texts.replace}
    </FileButton>
  )
}
