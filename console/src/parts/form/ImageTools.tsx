import type { Asset } from '@mokuroku/contract/assets'
import { Images, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { onEscape } from '#ui/onEscape.ts'
import { ImagePicker } from '../images/ImagePicker.tsx'
import { UploadButton } from '../images/UploadButton.tsx'
import { useImageUpload } from '../images/useImageUpload.ts'
import css from './Form.module.css'
import { formTexts } from './texts.ts'

interface Props {
  label: string
  /** Id of the chosen image; '' for none, undefined if unknown. */
  chosen: string | undefined
  isReadOnly: boolean
  /** The current image. */
  children: ReactNode
  onChoose: (asset: Asset) => void
  /** undefined if there is no image to remove. */
  onRemove: (() => void) | undefined
}

/** Chooses an image: dropped here, pasted anywhere on the screen, uploaded, or picked from the catalogue. */
export function ImageTools({ label, chosen, isReadOnly, children, onChoose, onRemove }: Props) {
  const texts = formTexts.use()
  const [isOpen, setOpen] = useState(false)
  const [isRemoved, setRemoved] = useState(false)
  const button = useId()
  const close = () => {
    setOpen(false)
    document.getElementById(button)?.focus()
  }
  const upload = useImageUpload(onChoose, isReadOnly)
  const remove = () => {
    setRemoved(true)
    onRemove?.()
  }
  if (isReadOnly) return <div className={css.image}>{children}</div>
  return (
    <>
      <div className={css.image} {...upload.dropProps}>
        {children}
        <Row wrap gap={2}>
          <UploadButton upload={upload} />
          <Button id={button} size="small" icon={Images} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.closeImages : texts.chooseImage}
          </Button>
          {onRemove && (
            <Button size="small" variant="quiet" icon={X} aria-label={texts.remove(label)} onClick={remove}>
              {texts.removeImage}
            </Button>
          )}
        </Row>
        <p role="status" className="sr-only">
          {isRemoved && !onRemove && texts.noImage}
        </p>
        {!upload.refusal && <Muted as="p">{texts.imageHint}</Muted>}
      </div>
      {isOpen && (
        <div className={css.gallery} data-own-undo {...onEscape(close)}>
          <ImagePicker
            value={chosen}
            first={upload.uploaded}
            onChoose={(_, asset) => {
              if (!asset) return
              upload.onOther()
              onChoose(asset)
            }}
          />
        </div>
      )}
    </>
  )
}
