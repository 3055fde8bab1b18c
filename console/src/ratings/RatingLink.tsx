import { Link, useLocation } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** A link to a rating that remembers the page of the list it was followed from. */
export function RatingLink({ id, ...props }: Omit<ComponentProps<'a'>, 'href' | 'ref'> & { id: string }) {
  const list = useLocation({ select: ({ pathname, searchStr }) => (pathname === '/ratings' ? searchStr : '') })
  return <Link to={`/ratings/${id}`} state={(before) => ({ ...before, list })} {...props} />
}
