import type { User } from '@mokuroku/contract/users'
import { ImageUp, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageOf } from '#api/errors.ts'
import { useMe } from '#api/session.ts'
import { sendImage } from '#api/upload.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
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
  const { permissions, tier } = useMe()
  const input = useRef<HTMLInputElement>(null)
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
      toast.error(
        texts.pictureFailed,
        error instanceof Error && !('status' in error) ? texts.pictureBroken : messageOf(error),
      )
      throw error
    }
  }
  return (
    <Row gap={4}>
      <Avatar key={avatar} name={username} url={avatar || undefined} large />
      <div className={css.pictureActions}>
        <Button
          size="small"
          icon={ImageUp}
          busy={busy}
          reason={permissions.maxUploadSizeMB > 0 ? undefined : texts.noUploads(tier)}
          onClick={() => input.current?.click()}
        >
          {busy ? texts.uploading : texts.picture}
        </Button>
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
        <p className={css.note}>{texts.pictureHint}</p>
      </div>
      <input
        ref={input}
        type="file"
        accept={PICTURES}
        hidden
        aria-label={texts.picture}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          event.currentTarget.value = ''
          if (file) void change(() => upload(file)).catch(() => undefined)
        }}
      />
    </Row>
  )
}
