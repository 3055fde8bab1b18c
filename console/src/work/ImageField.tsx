import type { BrokenLink } from '@mokuroku/contract/findings'
import { useEffect, useRef } from 'react'
import { type Words, useLabels } from '#parts/labels.ts'
import { ImageDrop } from '#parts/images/ImageDrop.tsx'
import { Muted } from '#ui/layout.tsx'
import type { Desk } from './desk.ts'
import { focusOnArrival } from './focusOnArrival.ts'
import type { Entry } from './queue.ts'
import { findingOf } from './target.ts'
import { workTexts } from './texts.ts'
import { takeKey } from './useDeskKeys.ts'
import css from './Work.module.css'

interface Props {
  desk: Desk
  entry: Entry
}

/** Field for the cover of an entity without one. */
export function ImageField({ desk, entry }: Props) {
  const { property } = desk.task
  return (
    <Field
      value={entry.chosen?.[property] as string | undefined}
      onChoose={(id) => desk.choose(entry.id, { [property]: id })}
    />
  )
}

/** The broken links: they are removed, unless an image is chosen as a replacement. */
export function LinksField({ desk, entry }: Props) {
  const texts = workTexts.use()
  const words = useLabels()[desk.task.kind] as Words
  const links = findingOf(desk.task, entry.findings)?.links ?? []
  const field = links.some((each) => each.field === 'cover') ? 'cover' : (links[0]?.field ?? 'cover')
  const isBroken = new Set(links.map(({ _id }) => _id))
  const now = entry.chosen?.[field]
  const stored = (entry.entity?.[field] ?? []) as unknown[]
  const kept = Array.isArray(now) ? stored.map(String).filter((id) => !isBroken.has(id)) : []
  const added = Array.isArray(now) ? (now.find((id) => !kept.includes(String(id))) ?? '') : (now ?? '')
  const choose = (id: string) =>
    desk.choose(entry.id, { ...entry.chosen, [field]: Array.isArray(now) ? [...kept, ...(id ? [id] : [])] : id })
  return (
    <>
      <ul className={css.links}>
        {links.map((link) => (
          <li key={`${link.field} ${link._id}`}>
            {texts.broken(words.fields[link.field] ?? link.field, describe(link))}
          </li>
        ))}
      </ul>
      <Muted as="p">{texts.brokenHint}</Muted>
      <Field value={String(added)} onChoose={choose} offersNone />
    </>
  )

  function describe({ filename, state }: BrokenLink): string {
    return filename ? `${filename}, ${texts.brokenStates[state]}` : texts.brokenStates[state]
  }
}

interface FieldProps {
  value: string | undefined
  onChoose: (id: string) => void
  offersNone?: boolean
}

function Field(props: FieldProps) {
  const place = useRef<HTMLDivElement>(null)
  // The search field; the other input is a hidden file input.
  useEffect(() => focusOnArrival(place.current?.querySelector<HTMLElement>('input[type=search]')), [])
  return (
    <div ref={place} data-work-images>
      <ImageDrop {...props} shortcutOf={takeKey} />
    </div>
  )
}
