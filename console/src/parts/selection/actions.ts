import { Image, type LucideIcon, Merge, SlidersHorizontal, Tags, Trash2 } from 'lucide-react'
import type { Area } from '#parts/area/area.ts'
import { type Words, useLabels } from '#parts/labels.ts'
import { mergeTexts } from '#parts/merging/texts.ts'
import { useMe } from '#api/session.ts'
import { bulkTexts } from './texts.ts'
import { ownOf } from './useSelection.ts'

/** A change in the form of the bulk call. */
export type Change = Record<string, unknown>

/** An action on the selected entities of a kind. */
export interface BulkAction {
  /** Unique among the actions of the kind. */
  name: string
  /** For `choice` and `cover`, `field` is the field to set. */
  type: 'addTags' | 'removeTags' | 'choice' | 'cover' | 'merge' | 'delete'
  field: string
  label: string
  icon: LucideIcon
  /** For `choice`: the values to choose from, with their labels. */
  values?: { value: unknown; label: string }[]
}

/** The bulk actions on a kind that its schema allows and the signed-in user has permission for. */
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
    { name: 'addTags', type: 'addTags', field: 'tags', label: texts.addTags, icon: Tags },
    { name: 'removeTags', type: 'removeTags', field: 'tags', label: texts.removeTags, icon: Tags },
  ]
  const choices = Object.entries(valuesOf(words)).map(([field, values]): BulkAction => ({
    name: `set ${field}`,
    type: 'choice',
    field,
    label: set(field),
    icon: SlidersHorizontal,
    values,
  }))
  const edits = [
    ...tags,
    ...choices,
    ...(links?.cover
      ? [{ name: 'cover', type: 'cover', field: 'cover', label: set('cover'), icon: Image } as const]
      : []),
  ].filter(({ field }) => field in schema.shape)
  const merging = { name: 'merge', type: 'merge', field: '', label: mergeLabel, icon: Merge } as const
  return [
    ...(refused.edit(own) === undefined ? edits : []),
    ...(refused.edit(own) === undefined && refused.delete(own) === undefined ? [merging] : []),
    ...(refused.delete(own) === undefined
      ? [{ name: 'delete', type: 'delete', field: '', label: texts.delete, icon: Trash2 } as const]
      : []),
  ]
}

/** The values to choose from, by field. */
function valuesOf({ values = {}, flags = {} }: Words): Record<string, { value: unknown; label: string }[]> {
  const named = Object.entries(values).map(
    ([field, names]) => [field, Object.entries(names).map(([value, label]) => ({ value, label }))] as const,
  )
  const flagged = Object.entries(flags).map(
    ([field, names]) => [field, names.map((label, at) => ({ value: at === 1, label })).toReversed()] as const,
  )
  return Object.fromEntries([...named, ...flagged])
}
