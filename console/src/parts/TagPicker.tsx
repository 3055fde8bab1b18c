import { useState } from 'react'
import { useCreation } from '#parts/area/useCreation.ts'
import { useTagNames } from '#parts/filters/useFilterText.ts'
import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { filterTexts } from './filters/texts.ts'
import { SearchSelect } from './SearchSelect.tsx'
import type { Choice } from './Suggestion.tsx'

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
  /** Offers to create a tag that is not found. */
  creates?: boolean
}

/** Chooses tags by name, one at a time. */
export function TagPicker({ ids, onIds, creates }: Props) {
  const texts = filterTexts.use()
  const [text, setText] = useState('')
  const add = ({ _id }: Choice) => onIds([...new Set([...ids, _id])])
  const creation = useCreation('tags', setText, add)
  return (
    <>
      {ids.length > 0 && (
        <Row as="ul" gap={2} align="stretch" wrap>
          {ids.map((id) => (
            <ChosenTag key={id} id={id} onRemove={() => onIds(ids.filter((each) => each !== id))} />
          ))}
        </Row>
      )}
      <SearchSelect
        index="tags"
        takesFirst
        create={creates ? creation : undefined}
        label={texts.addTag}
        placeholder={texts.addTag}
        text={text}
        onText={setText}
        onChoose={(choice) => {
          setText('')
          add(choice)
        }}
        {...NO_RECENT}
      />
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
