import { useState } from 'react'
import { fileUrl } from '#api/host.ts'
import css from './Avatar.module.css'

/** A person's picture, or the first letter of their name, which always stands beside it. */
export function Avatar({ name, url }: { name: string; url?: string | undefined }) {
  const [broken, setBroken] = useState(false)
  if (url && !broken) return <img className={css.avatar} src={fileUrl(url)} alt="" onError={() => setBroken(true)} />
  return (
    <span className={css.avatar} aria-hidden>
      {name.slice(0, 1).toUpperCase()}
    </span>
  )
}
