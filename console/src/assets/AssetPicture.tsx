import type { Asset } from '@mokuroku/contract/assets'
import { FileImage, FileMusic, FileVideo } from 'lucide-react'
import { useState } from 'react'
import { fileUrl } from '#api/host.ts'
import css from './AssetPicture.module.css'

const ICONS = { IMAGE: FileImage, VIDEO: FileVideo, AUDIO: FileMusic }

/** The thumbnail of an image, or an icon for the asset's type. Decorative: the filename is always shown beside it. */
export function AssetPicture({ asset: { type, thumbnail } }: { asset: Pick<Asset, 'type' | 'thumbnail'> }) {
  const [broken, setBroken] = useState<string>()
  const Icon = ICONS[type]
  if (!thumbnail || broken === thumbnail) {
    return (
      <span className={css.picture} data-type={type}>
        <Icon size={32} strokeWidth={1.25} aria-hidden />
      </span>
    )
  }
  return (
    <img
      className={css.picture}
      src={fileUrl(thumbnail)}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setBroken(thumbnail)}
    />
  )
}
