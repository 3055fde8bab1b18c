import type { Me } from '@mokuroku/contract/auth'
import { Image, type LucideIcon, Merge, SlidersHorizontal, Tags, Trash2 } from 'lucide-react'
import type { Area } from '#parts/area/area.ts'
import { type Words, useLabels } from '#parts/labels.ts'
import { mergeTexts } from '#parts/merging/texts.ts'
import { useMe } from '#api/session.ts'
import { bulkTexts } from './texts.ts'

/** What is changed, as the bulk call takes it. */
export type Change = Record<string, unknown>

/** What can be done with the selected entities of a kind at once. */
export interface BulkAction {
  /** No other action of the kind has it. */
  name: string
  /** `field` of `choice` and `cover` is the one that is set. */
  does: 'addTags' | 'removeTags' | 'choice' | 'cover' | 'merge' | 'delete'
  field: string
  label: string
  icon: LucideIcon
  /** Of `choice`: the values that it offers, as text, with their names. */
  values?: { value: unknown; label: string }[]
}

/** The actions on a kind that the signed-in user has the right for: those that its schema, links and words allow. */
export function useBulkActions(area: Area): BulkAction[] {
  const texts = bulkTexts.use()
  const { merge: mergeLabel } = mergeTexts.use()
  const words = useLabels()[area.kind as keyof ReturnType<typeof useLabels>] as Words
  const me = useMe()
  const refused = area.refusals(me)
  const own = ownOf(me)
  const { schema, links } = area.editor
  const set = (field: string) => texts.set(words.fields[field] ?? field)
  const tags: BulkAction[] = [
    { name: 'addTags', does: 'addTags', field: 'tags', label: texts.addTags, icon: Tags },
    { name: 'removeTags', does: 'removeTags', field: 'tags', label: texts.removeTags, icon: Tags },
  ]
  const choices = Object.entries(valuesOf(words)).map(([field, values]): BulkAction => ({
    name: `set ${field}`,
    does: 'choice',
    field,
    label: set(field),
    icon: SlidersHorizontal,
    values,
  }))
  const edits = [
    ...tags,
    ...choices,
    ...(links?.cover
      ? [{ name: 'cover', does: 'cover', field: 'cover', label: set('cover'), icon: Image } as const]
      : []),
  ].filter(({ field }) => field in schema.shape)
  const merging = { name: 'merge', does: 'merge', field: '', label: mergeLabel, icon: Merge } as const
  return [
    ...(refused.edit(own) === undefined ? edits : []),
    ...(refused.edit(own) === undefined && refused.delete(own) === undefined ? [merging] : []),
    ...(refused.delete(own) === undefined
      ? [{ name: 'delete', does: 'delete', field: '', label: texts.delete, icon: Trash2 } as const]
      : []),
  ]
}

/** Something of the user's own: who may not change that may change nothing. */
const ownOf = ({ _id: createdBy }: Me) => ({ _id: '', version: 0, createdBy })

/** By field, the few values that it takes. */
function valuesOf({ values = {}, flags = {} }: Words): Record<string, { value: unknown; label: string }[]> {
  const named = Object.entries(values).map(
    ([field, names]) => [field, Object.entries(names).map(([value, label]) => ({ value, label }))] as const,
  )
  const flagged = Object.entries(flags).map(
    ([field, names]) => [field, names.map((label, at) => ({ value: at === 1, label })).toReversed()] as const,
  )
  return Object.fromEntries([...named, ...flagged])
}
