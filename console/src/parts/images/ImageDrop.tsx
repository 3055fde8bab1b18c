import { Muted, Row, Stack } from '#ui/layout.tsx'
import css from './ImagePicker.module.css'
import { ImagePicker } from './ImagePicker.tsx'
import { imageTexts } from './texts.ts'
import { UploadButton } from './UploadButton.tsx'
import { useImageUpload } from './useImageUpload.ts'

interface Props {
  value: string | undefined
  onChoose: (id: string) => void
  offersNone?: boolean
  shortcutOf?: (position: number) => string | undefined
}

/** Chooses an image from the catalogue, or uploads one: from a file, dropped here, or pasted anywhere on the screen. */
export function ImageDrop({ value, onChoose, offersNone = false, shortcutOf }: Props) {
  const texts = imageTexts.use()
  const upload = useImageUpload(({ _id }) => onChoose(_id))
  return (
    <Stack gap={3} className={css.zone} {...upload.dropProps}>
      <Row wrap gap={3}>
        <UploadButton upload={upload} />
        {!upload.refusal && <Muted>{texts.hint}</Muted>}
      </Row>
      <ImagePicker
        value={value}
        onChoose={(id) => {
          upload.onOther()
          onChoose(id)
        }}
        offersNone={offersNone}
        shortcutOf={shortcutOf}
        first={upload.uploaded}
      />
    </Stack>
  )
}
