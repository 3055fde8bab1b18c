import type { KindWith } from '@mokuroku/contract/kinds'
import type { TagRef } from '@mokuroku/contract/tags'
import { Link } from '@tanstack/react-router'
import { AREAS } from '#lib/areas.ts'
import css from './TagChip.module.css'
import { Translated } from './Translated.tsx'

/** The colour of a tag that has none. */
export const COLOURLESS = '#718096'

interface Props {
  tag: TagRef
  /** On one line, however long the name is. */
  short?: boolean
  /** Leads to the list of this kind with the tag as its filter. */
  leadsTo?: KindWith<'tagCounter'>
}

/** A tag with a dot of its colour. The name stays in ink: any colour may have been chosen. */
export function TagChip({ tag: { _id, color, translations }, short, leadsTo }: Props) {
  const inside = (
    <>
      <span className={css.dot} style={{ background: color || COLOURLESS }} />
      <Translated of={translations} field="name" />
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
