import { useState } from 'react'
import { fileUrl } from '#api/host.ts'
import { initialOf } from '#lib/text.ts'
import css from './Avatar.module.css'

interface Props {
  name: string
  url: string | undefined
  /** For screens about that user. */
  large?: boolean
}

/** A user's picture, or the first letter of their name. Decorative: the name is always shown beside it. */
export function Avatar({ name, url, large }: Props) {
  const [broken, setBroken] = useState<string>()
  const className = large ? `${css.avatar} ${css.large}` : css.avatar
  if (url && url !== broken)
    return <img className={className} src={fileUrl(url)} alt="" onError={() => setBroken(url)} />
  return (
    <span className={className} aria-hidden>
      {initialOf(name)}
    </span>
  )
}
