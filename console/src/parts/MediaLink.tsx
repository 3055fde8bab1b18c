import { mediaApi } from '@mokuroku/contract/media'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentProps, useRef } from 'react'
import { q } from '#api/query.ts'

/** Pointing at a link this long (milliseconds) means to follow it; sweeping over a list does not. */
const INTENT = 80

interface Props extends Omit<ComponentProps<'a'>, 'href' | 'ref'> {
  id: string
}

/** A link to a media. It fetches what it leads to when it is pointed at. */
export function MediaLink({ id, ...props }: Props) {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wait = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => void client.prefetchQuery({ ...q(mediaApi.find, { id }), meta: { quiet: true } }),
      INTENT,
    )
  }
  const leave = () => clearTimeout(timer.current)
  return (
    <Link to={`/media/${id}`} onPointerEnter={wait} onPointerLeave={leave} onFocus={wait} onBlur={leave} {...props} />
  )
}
