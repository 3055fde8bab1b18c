import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#ui/Button.tsx'

interface Props {
  label: string
  /** The visible text; `label` is the accessible name, which also says what the image is for. */
  text: string
  busy: boolean
  reason?: string | undefined
  onFile: (file: File) => void
}

/** A button that opens a file dialog for an image. */
export function ImageButton({ label, text, busy, reason, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        size="small"
        icon={ImageUp}
        aria-label={label}
        busy={busy}
        reason={reason}
        onClick={() => input.current?.click()}
      >
        {text}
      </Button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
