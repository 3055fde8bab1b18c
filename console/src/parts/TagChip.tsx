import type { KindWith } from '@mokuroku/contract/kinds'
import type { TagRef } from '@mokuroku/contract/tags'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { translated } from '#lib/text.ts'
import { Truncate } from '#ui/layout.tsx'
import css from './TagChip.module.css'

/** The colour of a tag without one. */
export const DEFAULT_TAG_COLOUR = '#718096'

interface Props {
  tag: TagRef
  /** Keeps the tag on one line, however long its name is. */
  short?: boolean
  /** Links to the list of this kind, filtered by the tag. */
  leadsTo?: KindWith<'tagCounter'>
}

/**
 * A tag with a dot in its colour. The name is in the text colour, because any colour may have been chosen for the tag.
 */
export function TagChip({ tag: { _id, color, translations }, short, leadsTo }: Props) {
  const name = translated(translations, 'name', useLanguage())
  const Name = short ? Truncate : 'span'
  const inside = (
    <>
      <span className={css.dot} style={{ background: color || DEFAULT_TAG_COLOUR }} />
      <Name lang={name?.lang}>{name?.text}</Name>
    </>
  )
  if (!leadsTo)
    return (
      <span className={css.chip} data-short={short || undefined}>
        {inside}
      </span>
    )
  return (
    <Link to={AREAS[leadsTo].path} search={{ tags: _id }} className={css.chip} data-short={short || undefined}>
      {inside}
    </Link>
  )
}
