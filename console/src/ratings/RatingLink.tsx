import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

export function RatingLink({ id, ...props }: Omit<ComponentProps<'a'>, 'href' | 'ref'> & { id: string }) {
  return <Link to={`/ratings/${id}`} {...props} />
}
