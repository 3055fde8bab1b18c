import { mediaApi } from '@mokuroku/contract/media'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, useRef } from 'react'
import { q } from '#api/query.ts'

/** Hovering over a link this long shows the intent to follow it; moving across a list does not. */
const HOVER_MS = 80

interface Props extends Omit<ComponentProps<'a'>, 'href' | 'ref'> {
  id: string
}

/** A link to a media item that prefetches its data on hover. */
export function MediaLink({ id, ...props }: Props) {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wait = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => void client.prefetchQuery({ ...q(mediaApi.find, { id }), meta: { quiet: true } }),
      HOVER_MS,
    )
  }
  const leave = () => clearTimeout(timer.current)
  return (
    <Link to={`/media/${id}`} onPointerEnter={wait} onPointerLeave={leave} onFocus={wait} onBlur={leave} {...props} />
  )
}
