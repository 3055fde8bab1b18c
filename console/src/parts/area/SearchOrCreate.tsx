import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, use, useState } from 'react'
import { filterTexts } from '#parts/filters/texts.ts'
import { formTexts } from '#parts/form/texts.ts'
import type { Index } from '#parts/jsonEditor/idNames.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import type { Choice } from '#parts/Suggestion.tsx'
import { ChosenTags, NO_RECENT, type TagPicker, withId } from '#parts/TagPicker.tsx'
import { toast } from '#ui/toast.ts'
import { AreaOfContext } from './areaOf.ts'
import { useMakeByName } from './makeByName.ts'

type Recent = Pick<ComponentProps<typeof SearchSelect>, keyof typeof NO_RECENT>

interface Props {
  index: Index
  label: string
  /** Recent items; none by default. */
  recent?: Recent
  onChoose: (choice: Choice) => void
}

/** A search field that offers to create what it does not find, if the user may. */
export function SearchOrCreate({ index, label, recent = NO_RECENT, onChoose }: Props) {
  const texts = formTexts.use()
  const [text, setText] = useState('')
  const make = useMakeByName(use(AreaOfContext))(index)
  const { mutate } = useMutation({
    mutationFn: async (name: string) => make?.(name),
    meta: { failure: texts.createFailed },
    onSuccess: (created, name) => {
      if (!created) return
      onChoose(created)
      toast.success(texts.created(name))
    },
    // Restores the text, so that the user can try again.
    onError: (_, name) => setText(name),
  })
  const onCreate = (name: string) => {
    setText('')
    mutate(name)
  }
  return (
    <SearchSelect
      index={index}
      takesFirst
      create={make && { label: texts.create, onCreate }}
      label={label}
      placeholder={label}
      text={text}
      onText={setText}
      onChoose={(choice) => {
        setText('')
        onChoose(choice)
      }}
      {...recent}
    />
  )
}

/** A tag picker that offers to create a tag that it does not find. */
export function NewTagPicker({ ids, onIds }: ComponentProps<typeof TagPicker>) {
  return (
    <>
      <ChosenTags ids={ids} onIds={onIds} />
      <SearchOrCreate index="tags" label={filterTexts.use().addTag} onChoose={({ _id }) => onIds(withId(ids, _id))} />
    </>
  )
}
