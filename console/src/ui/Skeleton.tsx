import { Stack } from './layout.tsx'
import css from './Skeleton.module.css'

interface Props {
  /** In pixels at the default font size, with which they grow; or a length in CSS. */
  width?: number | string
  height?: number | string
  round?: boolean
}

/** Placeholder for content of known shape. Announce once, next to it, what is loading. */
export function Skeleton({ width = '100%', height = 14, round }: Props) {
  return (
    <span
      className={`${css.bar} ${round ? css.round : ''}`}
      style={{ width: lengthOf(width), height: lengthOf(height) }}
      aria-hidden
    />
  )
}

/** Several skeleton lines. */
export function SkeletonLines({ lines, height = 40 }: { lines: number; height?: number }) {
  return (
    <Stack gap={3}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={height} />
      ))}
    </Stack>
  )
}

const lengthOf = (size: number | string) => (typeof size === 'number' ? `${size / 16}rem` : size)
