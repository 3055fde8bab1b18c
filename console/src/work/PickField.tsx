import { type ComponentProps, use, useEffect, useRef } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import type { Text } from '#lib/text.ts'
import { AreaOfContext } from '#parts/area/areaOf.ts'
import { useMakeByName } from '#parts/area/makeByName.ts'
import { type Words, useLabels } from '#parts/labels.ts'
import { LastChange, useLastChange } from '#parts/LastChange.tsx'
import { SearchOrCreate } from '#parts/SearchOrCreate.tsx'
import { NO_RECENT } from '#parts/TagPicker.tsx'
import { NAMELESS, nameOfHit } from '#parts/titles.ts'
import { useRecentCharacters } from '#parts/useRecentCharacters.ts'
import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import type { Desk } from './desk.ts'
import { focusOnArrival } from './focusOnArrival.ts'
import type { Entry } from './queue.ts'
import { workTexts } from './texts.ts'
import css from './Work.module.css'

interface Props {
  desk: Desk
  entry: Entry
}

/** Picks missing tags, characters or other linked entities by name, one at a time. */
export function PickField({ desk, entry }: Props) {
  const texts = workTexts.use()
  const { kind, property } = desk.task
  const words = useLabels()[kind] as Words
  const field = words.fields[property] ?? property
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => focusOnArrival(place.current?.querySelector('input')), [])
  const ids = (entry.chosen?.[property] ?? []) as readonly string[]
  const choose = (next: readonly string[]) => desk.choose(entry.id, next.length > 0 ? { [property]: next } : undefined)
  const change = useLastChange(ids)
  const language = useLanguage()
  return (
    <div ref={place} className={css.pick}>
      <h3>{texts.add(field)}</h3>
      {ids.length > 0 && (
        <Row as="ul" gap={2} align="stretch" wrap>
          {ids.map((id) => (
            <li key={id}>
              <Picked name={desk.names.get(id)} onRemove={() => choose(ids.filter((each) => each !== id))} />
            </li>
          ))}
        </Row>
      )}
      <LastChange change={change} name={desk.names.get(change?.id ?? '')?.text} />
      <Search
        index={desk.area.editor.links?.[property] ?? 'tags'}
        label={texts.add(field)}
        onChoose={(choice) => {
          desk.names.set(choice._id, nameOfHit(choice, language) ?? NAMELESS)
          choose([...new Set([...ids, choice._id])])
        }}
      />
    </div>
  )
}

function Picked({ name, onRemove }: { name: Text | undefined; onRemove: () => void }) {
  const texts = workTexts.use()
  const { text, lang } = name ?? { text: '…', lang: undefined }
  return (
    <Button size="small" title={texts.remove(text)} aria-label={texts.remove(text)} onClick={onRemove}>
      <span lang={lang}>{text}</span> ×
    </Button>
  )
}

function Search({
  index,
  label,
  onChoose,
}: Pick<ComponentProps<typeof SearchOrCreate>, 'index' | 'label' | 'onChoose'>) {
  const { recent: recentTitle } = workTexts.use()
  const characters = { ...useRecentCharacters(), recentTitle }
  const make = useMakeByName(use(AreaOfContext))(index)
  const recent = index === 'characters' ? characters : NO_RECENT
  return <SearchOrCreate {...{ index, label, recent, make, onChoose }} />
}
