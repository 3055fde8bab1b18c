import type { TagRef } from '@mokuroku/contract/tags'
import css from './TagChip.module.css'
import { Translated } from './Translated.tsx'

/** The colour of a tag that has none. */
export const COLOURLESS = '#718096'

interface Props {
  tag: TagRef
  /** On one line, however long the name is. */
  short?: boolean
}

/** A tag with a dot of its colour. The name stays in ink: any colour may have been chosen. */
export function TagChip({ tag: { color, translations }, short }: Props) {
  return (
    <span className={css.chip} data-short={short || undefined}>
      <span className={css.dot} style={{ background: color || COLOURLESS }} />
      <Translated of={translations} field="name" />
    </span>
  )
}
