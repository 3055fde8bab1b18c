import { ImageUp } from 'lucide-react'
import { FileButton } from '#ui/FileButton.tsx'

interface Props {
  label: string
  /** The visible text; `label` is the accessible name, which also says what the image is for. */
  text: string
  busy: boolean
  reason?: string | undefined
  onFile: (file: File) => void
}

/** A button that opens a file dialog for an image. */
export const ImageButton = ({ label, text, ...button }: Props) => (
  <FileButton size="small" icon={ImageUp} accept="image/*" label={label} aria-label={label} {...button}>
    {text}
  </FileButton>
)
