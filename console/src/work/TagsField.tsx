import { useEffect, useRef } from 'react'
import { TagPicker } from '#parts/TagPicker.tsx'
import type { Desk } from './desk.ts'
import type { Entry } from './queue.ts'
import { workTexts } from './texts.ts'
import css from './Work.module.css'

/** The tags to add to an entity that has none. */
export function TagsField({ desk, entry }: { desk: Desk; entry: Entry }) {
  const texts = workTexts.use()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={place} className={css.tags}>
      <h3>{texts.tags}</h3>
      <TagPicker ids={entry.tags ?? []} onIds={(ids) => desk.setTags(entry.id, ids)} />
    </div>
  )
}
