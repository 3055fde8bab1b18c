import { useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { fileSize } from '#lib/sizes.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DropZone } from '#ui/DropZone.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Stack } from '#ui/layout.tsx'
import { useAssetRights } from './rights.ts'
import { addFiles, clearDone, hasFailed, isUnfinished, type Upload, useUploads } from './uploads.ts'
import { UploadItem } from './UploadItem.tsx'
import css from './UploadPanel.module.css'
import { assetTexts } from './texts.ts'

/** File types offered by the file dialog; the server inspects the content. */
const ACCEPTED = 'image/jpeg,image/png,image/gif,image/webp,image/avif,audio/*'
const VIDEOS = 'video/mp4,video/webm,video/quicktime'

const isUploaded = (upload: Upload) => upload.state === 'done' && !hasFailed(upload)

/** Uploads files that are dropped or chosen. Closing the panel does not stop uploads. */
export function UploadPanel({ onClose }: { onClose: () => void }) {
  const assets = assetTexts.use()
  const { shell } = useMessages()
  const { upload: texts } = assets
  const { maxBytes, noVideo } = useAssetRights()
  const uploads = useUploads()
  const [isPublic, setPublic] = useState(true)
  const isBusy = uploads.some(isUnfinished)
  return (
    <Dialog
      title={texts.title}
      wide
      onClose={onClose}
      footer={
        <>
          {uploads.some(({ state }) => state === 'done') && <Button onClick={clearDone}>{texts.clear}</Button>}
          <Button variant="primary" onClick={onClose}>
            {isBusy ? texts.background : shell.close}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <DropZone
          accept={noVideo ? ACCEPTED : `${ACCEPTED},${VIDEOS}`}
          multiple
          label={texts.choose}
          hint={(noVideo ? texts.hintWithoutVideo : texts.hint)(fileSize(maxBytes))}
          small={uploads.length > 0}
          onFiles={(files) => addFiles(files, { isPublic, maxBytes, noVideo })}
        />
        <SelectField
          label={assets.visibility}
          hint={isPublic ? texts.publicHint : texts.privateHint}
          value={isPublic ? 'public' : 'private'}
          options={[
            { value: 'public', label: assets.public },
            { value: 'private', label: assets.private },
          ]}
          onChange={(value) => setPublic(value === 'public')}
        />
        {uploads.length > 0 && (
          <ul className={css.items} aria-label={texts.files}>
            {uploads.map((upload) => (
              <UploadItem key={upload.key} upload={upload} onLeave={onClose} />
            ))}
          </ul>
        )}
        <p role="status" className="sr-only">
          {texts.progress(uploads.filter(isUploaded).length, uploads.filter(hasFailed).length, uploads.length)}
        </p>
      </Stack>
    </Dialog>
  )
}
