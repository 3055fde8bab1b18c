import type { Asset } from '@mokuroku/contract/assets'
import { BookImage } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useMe } from '#api/session.ts'
import { useRefusal } from '#parts/refusal.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Portal } from '#ui/Portal.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import { coverTexts } from './texts.ts'

const SetCoverDialog = lazyOverlay(() => import('./SetCoverDialog.tsx'), 'SetCoverDialog')

interface Props {
  asset: Asset
  /** Class name of the small icon button. */
  className?: string | undefined
  small?: boolean
}

/**
 * Button that sets an image as the cover of a media item, which the user then chooses. Nothing unless the asset is an
 * image that is ready.
 */
export function SetCover({ asset, small, className }: Props) {
  const texts = coverTexts.use()
  const me = useMe()
  const refusalOf = useRefusal()
  const [isOpen, setOpen] = useState(false)
  if (asset.type !== 'IMAGE' || asset.status !== 'READY') return null
  // Shown to users who may edit some media; they can then choose one of these.
  const reason = refusalOf('edit', 'Media', me._id)
  const open = () => setOpen(true)
  return (
    <>
      {small ? (
        <IconButton
          size="small"
          icon={BookImage}
          label={texts.setOf(asset.filename)}
          reason={reason}
          className={className}
          onClick={open}
        />
      ) : (
        <Button icon={BookImage} reason={reason} onClick={open}>
          {texts.set}
        </Button>
      )}
      {isOpen && (
        <Portal>
          <Suspense>
            <SetCoverDialog asset={asset} onClose={() => setOpen(false)} />
          </Suspense>
        </Portal>
      )}
    </>
  )
}
