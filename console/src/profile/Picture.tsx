import type { User } from '@mokuroku/contract/users'
import { ImageUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toastFailure } from '#api/queryClient.ts'
import { sendImage } from '#api/upload.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { useUploadRefusal } from '#parts/images/useUploadRefusal.ts'
import { Button } from '#ui/Button.tsx'
import { FileButton } from '#ui/FileButton.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import css from './Profile.module.css'
import { texts as area } from './texts.ts'

const PICTURES = 'image/jpeg,image/png,image/gif,image/webp,image/avif'

interface Props {
  user: User
  /** Saves the URL of another picture; '' for none. */
  onChange: (avatar: string) => Promise<unknown>
}

/** The user's picture, saved as soon as one is chosen. */
export function Picture({ user: { username, avatar }, onChange }: Props) {
  const texts = area.use()
  const [busy, setBusy] = useState(false)
  const change = async (next: () => Promise<string>) => {
    setBusy(true)
    try {
      await onChange(await next())
      toast.success(texts.pictureSaved)
    } finally {
      setBusy(false)
    }
  }
  const upload = async (file: File) => {
    try {
      const asset = await sendImage(file)
      if (asset.status === 'ERROR') throw new Error(asset.failure)
      return asset.thumbnail ?? asset.url
    } catch (error) {
      console.error(error)
      const isBroken = error instanceof Error && !('status' in error)
      toastFailure(texts.pictureFailed, error, isBroken ? texts.pictureBroken : undefined)
      throw error
    }
  }
  return (
    <Row gap={4}>
      <Avatar key={avatar} name={username} url={avatar || undefined} large />
      <div className={css.pictureActions}>
        <FileButton
          size="small"
          icon={ImageUp}
          accept={PICTURES}
          label={texts.picture}
          busy={busy}
          reason={useUploadRefusal()}
          onFile={(file) => void change(() => upload(file)).catch(() => undefined)}
        >
          {busy ? texts.uploading : texts.picture}
        </FileButton>
        {avatar && !busy && (
          <Button
            size="small"
            variant="quiet"
            icon={Trash2}
            onClick={() => void change(async () => '').catch(() => undefined)}
          >
            {texts.removePicture}
          </Button>
        )}
        <Muted as="p" small>
          {texts.pictureHint}
        </Muted>
      </div>
    </Row>
  )
}
