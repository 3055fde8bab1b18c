import type { Cover as AnyCover } from '@mokuroku/contract/common'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { fileUrl } from '#api/host.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { coverText } from '#lib/coverText.ts'
import { type Translations, translated } from '#lib/text.ts'
import css from './Cover.module.css'
import { original } from './titles.ts'

/** The entity that the cover belongs to, as far as it is known. */
interface Named {
  _id?: string | undefined
  translations?: Translations | undefined
  originalTitle?: string | null | undefined
  originalName?: string | null | undefined
}

interface Props {
  cover: z.output<typeof AnyCover>
  /** Its title is shown if there is no image. */
  entity: Named | undefined
  /**
   * `row` in a table or list, `card` in a grid, `hero` at the top of a page; `tile` is a square that fills its parent.
   */
  size: 'row' | 'card' | 'hero' | 'tile'
  /** Whether to tell screen readers that there is no image. */
  says?: boolean
}

/**
 * A cover with the proportions of a book, or a portrait. Empty alt text, because the title is always shown beside it.
 */
export function Cover({ cover, entity, size, says = false }: Props) {
  const { media } = useMessages()
  const [broken, setBroken] = useState<string>()
  const url = cover && (size === 'hero' || size === 'tile' ? cover.url : (cover.thumbnail ?? cover.url))
  if (!url || broken === url) {
    return (
      <>
        <TypographicCover entity={entity} size={size} />
        {says && <span className="sr-only">{media.noImage}</span>}
      </>
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

/** The text is CSS-generated and hidden from screen readers, because the title is shown beside it. */
function TypographicCover({ entity, size }: Pick<Props, 'entity' | 'size'>) {
  const language = useLanguage()
  const { _id, translations = {}, originalTitle, originalName } = entity ?? {}
  const title =
    original((originalTitle ?? originalName) || undefined) ??
    translated(translations, 'title', language) ??
    translated(translations, 'name', language)
  const text = title?.text ?? ''
  const { short, long, isVertical, ground } = coverText(text, _id ?? text)
  return (
    <span
      aria-hidden
      lang={title?.lang}
      className={`${css.cover} ${css[size]} ${css.none}`}
      style={{ background: `var(--cover-${ground})` }}
      data-vertical={isVertical || undefined}
      data-text={size === 'row' ? short : long}
    />
  )
}
