import { useMutation } from '@tanstack/react-query'
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { toast } from '#ui/toast.ts'
import type { MakeByName } from './area/makeByName.ts'
import { formTexts } from './form/texts.ts'
import type { Index } from './jsonEditor/idNames.ts'
import { pendingValue, useTurns } from './pendingValues.ts'
import { SearchSelect } from './SearchSelect.tsx'
import type { Choice } from './Suggestion.tsx'
import { NO_RECENT } from './TagPicker.tsx'

interface Props {
  index: Index
  label: string
  placeholder?: string
  className?: string | undefined
  /** Recent items; none by default. */
  recent?: Pick<ComponentProps<typeof SearchSelect>, keyof typeof NO_RECENT>
  /** Creates an entity by its name; undefined if the user may not. */
  make: MakeByName | undefined
  onChoose: (choice: Choice) => void
  /** A later choice replaces an earlier one. */
  isSingle?: boolean
}

/** A search field that offers to create what it does not find. Saving waits for that (`useSaveWithPending`). */
export function SearchOrCreate({ index, label, placeholder = label, make, onChoose, isSingle, ...rest }: Props) {
  const { recent = NO_RECENT, className } = rest
  const texts = formTexts.use()
  const [text, setText] = useState('')
  const turns = useTurns()
  // Several may be created at once: each is added to what is chosen when it arrives.
  const choose = useRef(onChoose)
  useLayoutEffect(() => void (choose.current = onChoose))
  const { mutate } = useMutation({
    mutationKey: pendingValue('creation'),
    mutationFn: async ({ name }: { name: string; turn: number }) => make?.(name),
    meta: { failure: texts.createFailed },
    onSuccess: (created, { name, turn }) => {
      if (!created) return
      if (!isSingle || turns.isLatest(turn)) choose.current(created)
      toast.success(texts.created(name))
    },
    // Restores the text, so that the user can try again.
    onError: (_, { name }) => setText((typed) => typed || name),
  })
  const onCreate = (name: string) => {
    setText('')
    mutate({ name, turn: turns.next() })
  }
  return (
    <SearchSelect
      index={index}
      takesFirst
      create={make && { label: texts.create, onCreate }}
      className={className}
      label={label}
      placeholder={placeholder}
      text={text}
      onText={setText}
      onChoose={(choice) => {
        setText('')
        turns.next()
        onChoose(choice)
      }}
      {...recent}
    />
  )
}
