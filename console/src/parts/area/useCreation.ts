import { useMutation } from '@tanstack/react-query'
import { use } from 'react'
import { formTexts } from '#parts/form/texts.ts'
import type { Index } from '#parts/jsonEditor/idNames.ts'
import type { Choice } from '#parts/Suggestion.tsx'
import { toast } from '#ui/toast.ts'
import { AreaOfContext } from './areaOf.ts'
import { useMakeByName } from './makeByName.ts'

/** What a search field offers to create if it is not found; undefined if the user may not. */
export function useCreation(index: Index, onText: (text: string) => void, onCreated: (choice: Choice) => void) {
  const texts = formTexts.use()
  const make = useMakeByName(use(AreaOfContext))(index)
  const { mutate } = useMutation({
    mutationFn: async (name: string) => make?.(name),
    meta: { failure: texts.createFailed },
    onSuccess: (created, name) => {
      if (!created) return
      onCreated(created)
      toast.success(texts.created(name))
    },
    // Restores the text, so that the user can try again.
    onError: (_, name) => onText(name),
  })
  const onCreate = (name: string) => {
    onText('')
    mutate(name)
  }
  return make && { label: texts.create, onCreate }
}
