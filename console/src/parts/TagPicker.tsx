import { useState } from 'react'
import { useTagNames } from '#parts/filters/useFilterText.ts'
import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { filterTexts } from './filters/texts.ts'
import { LastChange, useLastChange } from './LastChange.tsx'
import { SearchSelect } from './SearchSelect.tsx'

/** Props for a search box without recent items. */
export const NO_RECENT = {
  recent: { data: [], isError: false, isPending: false },
  onEnter: () => undefined,
  recentTitle: '',
  recentFailed: '',
}

interface Props {
  /** Ids of the chosen tags. */
  ids: readonly string[]
  onIds: (ids: string[]) => void
}

/** Chooses tags by name, one at a time. */
export function TagPicker({ ids, onIds, label }: Props & { label?: string }) {
  const texts = filterTexts.use()
  const [text, setText] = useState('')
  return (
    <>
      <ChosenTags ids={ids} onIds={onIds} />
      <SearchSelect
        index="tags"
        takesFirst
        label={label ?? texts.addTag}
        placeholder={label ?? texts.addTag}
        text={text}
        onText={setText}
        onChoose={({ _id }) => {
          setText('')
          onIds(withId(ids, _id))
        }}
        {...NO_RECENT}
      />
    </>
  )
}

export const withId = (ids: readonly string[], id: string): string[] => [...new Set([...ids, id])]

/** The chosen tags, each with a button to remove it. */
export function ChosenTags({ ids, onIds }: Props) {
  const change = useLastChange(ids)
  const name = useTagNames(change?.id ?? '')
  return (
    <>
      {ids.length > 0 && (
        <Row as="ul" gap={2} align="stretch" wrap>
          {ids.map((id) => (
            <ChosenTag key={id} id={id} onRemove={() => onIds(ids.filter((each) => each !== id))} />
          ))}
        </Row>
      )}
      <LastChange change={change} name={name === '…' ? undefined : name} />
    </>
  )
}

function ChosenTag({ id, onRemove }: { id: string; onRemove: () => void }) {
  const texts = filterTexts.use()
  const name = useTagNames(id)
  return (
    <li>
      <Button size="small" title={texts.removeTag(name)} aria-label={texts.removeTag(name)} onClick={onRemove}>
        {name} ×
      </Button>
    </li>
  )
}
