import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

interface Props extends Omit<ComponentProps<'a'>, 'href' | 'ref'> {
  id: string
}

/** A link to a character. */
export function CharacterLink({ id, ...props }: Props) {
  return <Link to={`/characters/${id}`} {...props} />
}
