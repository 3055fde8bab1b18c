import { Upload } from 'lucide-react'
import { type ChangeEvent, type DragEvent, useId, useState } from 'react'
import css from './DropZone.module.css'

interface Props {
  /** The media types and endings that may be chosen. */
  accept: string
  multiple?: boolean
  /** What the button says, and below it what may be dropped. */
  label: string
  hint: string
  /** It gets the focus when a dialog opens. */
  autofocus?: boolean
  /** What was dropped is shown below: on a phone it takes less room. */
  small?: boolean
  onFiles: (files: Iterable<File>) => void
}

/** A place to drop files, and a button for who does not drag. */
export function DropZone({ accept, multiple = false, label, hint, autofocus, small, onFiles }: Props) {
  const id = useId()
  const [isOver, setOver] = useState(false)
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    onFiles(currentTarget.files ?? [])
    // The same file can be chosen again.
    currentTarget.value = ''
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles(event.dataTransfer.files)
  }
  return (
    <div
      className={css.zone}
      data-over={isOver || undefined}
      data-small={small || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <input
        id={id}
        type="file"
        multiple={multiple}
        accept={accept}
        className={css.input}
        data-autofocus={autofocus || undefined}
        onChange={onChange}
      />
      <label htmlFor={id} className={css.label}>
        <Upload size={22} strokeWidth={1.5} aria-hidden />
        <span className={css.choose}>{label}</span>
        <span className={css.hint}>{hint}</span>
      </label>
    </div>
  )
}
