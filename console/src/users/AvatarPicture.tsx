import { useLabels } from '#parts/labels.ts'
import type { BeneathProps } from '#parts/area/area.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { ImageTools } from '#parts/form/ImageTools.tsx'

/** The image at the field's URL, and controls for choosing another. */
export function AvatarPicture({ value, isReadOnly, onValue }: BeneathProps) {
  const { fields } = useLabels().User
  const address = typeof value === 'string' ? value : ''
  return (
    <ImageTools
      label={fields.avatar}
      chosen={undefined}
      isReadOnly={isReadOnly}
      onChoose={({ thumbnail, url }) => onValue(thumbnail ?? url)}
      onRemove={address ? () => onValue('') : undefined}
    >
      {address && <Avatar name="" url={address} large />}
    </ImageTools>
  )
}
