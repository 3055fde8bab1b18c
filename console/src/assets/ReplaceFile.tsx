import type { Asset } from '@mokuroku/contract/assets'
import { Replace } from 'lucide-react'
import { FileButton } from '#ui/FileButton.tsx'
import { useAssetRights } from './rights.ts'
import { UploadItem } from './UploadItem.tsx'
import css from './UploadPanel.module.css'
import { addFiles, cancelUpload, isUnfinished, type Upload, useUploads } from './uploads.ts'
import { assetTexts } from './texts.ts'

const BUTTON = 'replace-file'
const ACCEPTED = { IMAGE: 'image/*', VIDEO: 'video/*', AUDIO: 'audio/*' }

/** Replaces the file of this asset: everything that uses the asset shows the new file. */
export function ReplaceFile({ asset, reason }: { asset: Asset; reason: string | undefined }) {
  const texts = assetTexts.use()
  const { maxBytes, noUpload, noVideo } = useAssetRights()
  const replacements = useReplacements(asset)
  const choose = (file: File) => {
    for (const { key } of replacements) cancelUpload(key)
    addFiles([file], { isPublic: asset.isPublic, maxBytes, noVideo, replaces: asset })
  }
  return (
    <FileButton
      id={BUTTON}
      icon={Replace}
      accept={ACCEPTED[asset.type]}
      label={texts.replace}
      busy={replacements.some(isUnfinished)}
      reason={reason ?? noUpload ?? (asset.type === 'VIDEO' ? noVideo : undefined)}
      onFile={choose}
    >
      {texts.replace}
    </FileButton>
  )
}

/** The file that replaces that of this asset, until it is there. */
export function Replacement({ asset }: { asset: Asset }) {
  const texts = assetTexts.use()
  const replacements = useReplacements(asset)
  return (
    replacements.length > 0 && (
      <ul className={css.items} aria-label={texts.replace} ref={returnFocus}>
        {replacements.map((upload) => (
          <UploadItem key={upload.key} upload={upload} />
        ))}
      </ul>
    )
  )
}

/** When the list disappears, its focus goes back to the button, instead of to what follows and makes the asset private. */
const returnFocus = (list: HTMLUListElement) => () => {
  if (list.contains(document.activeElement)) document.getElementById(BUTTON)?.focus()
}

const useReplacements = ({ _id }: Asset): Upload[] =>
  useUploads().filter(({ replaces, state }) => replaces?._id === _id && state !== 'done')
