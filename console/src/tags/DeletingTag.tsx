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

/** Content of a tag's delete dialog: where it is used, and an optional replacement. */
export function DeletingTag({ row: { _id: id }, onPrepare }: DeletingProps<Tag>) {
  const { replacedAndDeleted } = tagTexts.use()
  const language = useLanguage()
  const uses = useQuery(qEdit(tagsApi.uses, { id }))
  const [replacement, setReplacement] = useState<Choice>()
  // A replacement is only for entities that have the tag; child tags keep their parent.
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
