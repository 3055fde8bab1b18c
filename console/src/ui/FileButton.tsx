import { type ComponentProps, useRef } from 'react'
import { Button } from './Button.tsx'

interface Props extends Omit<ComponentProps<typeof Button>, 'onClick' | 'ref'> {
  /** Accepted media types and file extensions. */
  accept: string
  /** Accessible name of the file input. */
  label: string
  onFile: (file: File) => void
}

/** A button for choosing a file. */
export function FileButton({ accept, label, onFile, ...button }: Props) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          // Allows choosing the same file again.
          currentTarget.value = ''
          if (file) onFile(file)
        }}
      />
    </>
  )
}
