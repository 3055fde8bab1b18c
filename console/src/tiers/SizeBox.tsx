import { useEffect, useRef, useState } from 'react'
import { isComposing } from '#ui/composing.ts'
import css from './TierMatrix.module.css'

const MAX_SIZE_MB = 10_000

interface SizeProps {
  label: string
  size: number
  /** Called with the new size, or undefined to cancel; `isByKey`: the focus returns to the cell. */
  onEnd: (size: number | undefined, isByKey: boolean) => void
}

/** Field for editing a size. */
export function SizeBox({ label, size, onEnd }: SizeProps) {
  const [text, setText] = useState(String(size))
  const box = useRef<HTMLInputElement>(null)
  const ended = useRef(false)
  useEffect(() => box.current?.select(), [])
  const written = Number(text)
  const isValid = text.trim() !== '' && written >= 0 && written <= MAX_SIZE_MB
  const end = (value: number | undefined, isByKey: boolean) => {
    // Removing the field also triggers blur.
    if (ended.current) return
    ended.current = true
    onEnd(value, isByKey)
  }
  return (
    <input
      ref={box}
      type="number"
      min={0}
      max={MAX_SIZE_MB}
      step="any"
      aria-label={label}
      aria-invalid={isValid ? undefined : true}
      value={text}
      className={css.box}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onClick={(event) => event.stopPropagation()}
      onBlur={() => end(isValid ? written : undefined, false)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (isComposing(event.nativeEvent)) return
        if (event.key === 'Escape') end(undefined, true)
        else if (event.key === 'Enter' && isValid) end(written, true)
        else return
        event.preventDefault()
      }}
    />
  )
}
