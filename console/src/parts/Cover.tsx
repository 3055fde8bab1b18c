import type { Cover as AnyCover } from '@mokuroku/contract/common'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { fileUrl } from '#api/host.ts'
import { useMessages } from '#i18n/messages.ts'
import css from './Cover.module.css'

interface Props {
  cover: z.output<typeof AnyCover>
  /** `row` in a table or list, `card` in a grid, `hero` at the top of a page; `tile` is a square as wide as its place. */
  size: 'row' | 'card' | 'hero' | 'tile'
}

/** A cover at a book's proportions, or a portrait. Its alt text is empty because the title always stands beside it. */
export function Cover({ cover, size }: Props) {
  const { media } = useMessages()
  const [broken, setBroken] = useState<string>()
  const url = cover && (size === 'hero' || size === 'tile' ? cover.url : (cover.thumbnail ?? cover.url))
  if (!url || broken === url) {
    return (
      <span aria-hidden className={`${css.cover} ${css[size]} ${css.none}`}>
        {media.noImage}
      </span>
    )
  }
  return (
    <img
      className={`${css.cover} ${css[size]}`}
      src={fileUrl(url)}
      alt=""
      loading={size === 'hero' ? 'eager' : 'lazy'}
      decoding="async"
      onError={() => setBroken(url)}
    />
  )
}
