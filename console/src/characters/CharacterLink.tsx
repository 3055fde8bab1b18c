import { Link, useLocation } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'a'>, 'href' | 'ref'> {
  id: string
}

/** A link to a character that remembers the page of the list it was followed from. */
export function CharacterLink({ id, ...props }: Props) {
  const list = useLocation({ select: ({ pathname, searchStr }) => (pathname === '/characters' ? searchStr : '') })
  return <Link to={`/characters/${id}`} state={(before) => ({ ...before, list })} {...props} />
}
