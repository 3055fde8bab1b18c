import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTagNames } from '#parts/filters/useFilterText.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import type { Desk } from './desk.ts'
import type { Entry } from './queue.ts'
import { workTexts } from './texts.ts'
import css from './Work.module.css'

/** Nothing is offered before something is typed. */
const NO_RECENT = {
  recent: { data: [], isError: false, isPending: false },
  onEnter: () => undefined,
  recentTitle: '',
  recentFailed: '',
}

/** The tags to add to an entity that has none. */
export function TagsField({ desk, entry }: { desk: Desk; entry: Entry }) {
  const texts = workTexts.use()
  const [text, setText] = useState('')
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  const { id, tags = [] } = entry
  return (
    <div ref={place} className={css.tags}>
      <h3>{texts.tags}</h3>
      <ul aria-label={texts.tags}>
        {tags.map((tag) => (
          <Chosen
            key={tag}
            id={tag}
            onRemove={() =>
              desk.setTags(
                id,
                tags.filter((each) => each !== tag),
              )
            }
          />
        ))}
      </ul>
      <SearchSelect
        index="tags"
        takesFirst
        label={texts.addTag}
        placeholder={texts.addTag}
        text={text}
        onText={setText}
        onChoose={({ _id }) => {
          setText('')
          desk.setTags(id, [...new Set([...tags, _id])])
        }}
        {...NO_RECENT}
      />
    </div>
  )
}

function Chosen({ id, onRemove }: { id: string; onRemove: () => void }) {
  const texts = workTexts.use()
  const name = useTagNames(id)
  return (
    <li>
      {name}
      <button type="button" aria-label={texts.removeTag(name)} title={texts.removeTag(name)} onClick={onRemove}>
        <X size={14} aria-hidden />
      </button>
    </li>
  )
}
