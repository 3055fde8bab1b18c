import { type Tag, tagsApi } from '@mokuroku/contract/tags'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { qEdit } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import type { DeletingProps } from '#parts/area/area.ts'
import type { Choice } from '#parts/Suggestion.tsx'
import { UsedIn } from '#parts/UsedIn.tsx'
import { nameOf } from './nameOf.ts'
import { TagReplacement } from './TagReplacement.tsx'
import { tagTexts } from './texts.ts'

/** Before a tag is deleted: where it is used, and another one to put in its place first. */
export function DeletingTag({ row: { _id: id }, onPrepare }: DeletingProps<Tag>) {
  const { replacedAndDeleted } = tagTexts.use()
  const language = useLanguage()
  const uses = useQuery(qEdit(tagsApi.uses, { id }))
  const [replacement, setReplacement] = useState<Choice>()
  // Only what carries the tag can carry another one instead; a tag below it keeps its parent.
  const carried = uses.data?.by.some(({ fields }) => fields.includes('tags'))
  const choose = (tag: Choice | undefined) => {
    setReplacement(tag)
    onPrepare(
      tag && {
        before: () => call(tagsApi.replace, { id, body: { with: tag._id } }),
        deleted: replacedAndDeleted(nameOf(tag, language).text),
      },
    )
  }
  return (
    <>
      <UsedIn uses={uses} />
      {carried && <TagReplacement id={id} chosen={replacement} onChoose={choose} />}
    </>
  )
}
