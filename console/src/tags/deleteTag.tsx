import { type Tag, tagsApi } from '@mokuroku/contract/tags'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { qEdit } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import type { Choice } from '#parts/Suggestion.tsx'
import { UsedIn } from '#parts/UsedIn.tsx'
import { useDelete } from '#parts/useDelete.tsx'
import { useNameOf } from './nameOf.ts'
import { TagReplacement } from './TagReplacement.tsx'

/** Deleting a tag: says where it is used, and offers to put another one in its place first. */
export function useDeleteTag() {
  const { tags: texts } = useMessages()
  const nameOf = useNameOf()
  const [replacement, setReplacement] = useState<Choice>()
  const deleted = replacement ? texts.replacedAndDeleted(nameOf(replacement).text) : texts.deleted
  const { ask, question } = useDelete<Tag>({
    texts: { ...texts, deleted },
    nameOf,
    remove: async ({ _id: id, version }) => {
      if (replacement) await call(tagsApi.replace, { id, body: { with: replacement._id } })
      await call(tagsApi.remove, { id, base: version })
    },
    restore: (id) => call(tagsApi.restore, { id }),
    more: ({ _id }) => <Uses id={_id} replacement={replacement} onReplacement={setReplacement} />,
  })
  const askAnew = (tag: Tag) => {
    setReplacement(undefined)
    ask(tag)
  }
  return { ask: askAnew, question }
}

interface UsesProps {
  id: string
  replacement: Choice | undefined
  onReplacement: (tag: Choice | undefined) => void
}

function Uses({ id, replacement, onReplacement }: UsesProps) {
  const uses = useQuery(qEdit(tagsApi.uses, { id }))
  // Only what carries the tag can carry another one instead; a tag below it keeps its parent.
  const carried = uses.data?.by.some(({ fields }) => fields.includes('tags'))
  return (
    <>
      <UsedIn uses={uses} />
      {carried && <TagReplacement id={id} chosen={replacement} onChoose={onReplacement} />}
    </>
  )
}
