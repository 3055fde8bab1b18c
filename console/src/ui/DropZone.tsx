import { Upload } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { useDropAnywhere } from './dropAnywhere.ts'
import css from './DropZone.module.css'

interface Props {
  /** Accepted media types and file extensions. */
  accept: string
  multiple?: boolean
  /** Label of the button, and below it what may be dropped. */
  label: string
  hint: string
  /** Compact on phones, because the dropped files are shown below. */
  small?: boolean
  onFiles: (files: Iterable<File>) => void
}

/** A drop target for files, with a button for choosing them. Files may be dropped beside it, too. */
export function DropZone({ accept, multiple = false, label, hint, small, onFiles }: Props) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles(currentTarget.files ?? [])
    // Allows choosing the same file again.
    currentTarget.value = ''
  }
  const zone = useRef<HTMLDivElement>(null)
  useDropAnywhere(onFiles, setOver, zone)
  return (
    <div ref={zone} className={css.zone} data-over={isOver || undefined} data-small={small || undefined}>
      <input id={id} type="file" multiple={multiple} accept={accept} className={css.input} onChange={onChange} />
      <label htmlFor={id} className={css.label}>
        <Upload size={22} strokeWidth={1.5} aria-hidden />
        <span className={css.choose}>{label}</span>
        <span className={css.hint}>{hint}</span>
      </label>
    </div>
  )
}
