import { mediaApi } from '@mokuroku/contract/media'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ComponentProps, useRef } from 'react'
import { q } from '#api/query.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The query of the media list that a detail was opened from: '?page=2&type=ANIME'. */
    list?: string
  }
}

/** Pointing at a link this long (milliseconds) means to follow it; sweeping over a list does not. */
const INTENT = 80

interface Props extends Omit<ComponentProps<'a'>, 'href' | 'ref'> {
  id: string
}

/** A link to a media. It fetches what it leads to when it is pointed at, and remembers the list it was followed from. */
export function MediaLink({ id, ...props }: Props) {
  const client = useQueryClient()
  const list = useLocation({ select: ({ pathname, searchStr }) => (pathname === '/media' ? searchStr : '') })
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
    <Link
      to={`/media/${id}`}
      state={(before) => ({ ...before, list })}
      onPointerEnter={wait}
      onPointerLeave={leave}
      onFocus={wait}
      onBlur={leave}
      {...props}
    />
  )
}
