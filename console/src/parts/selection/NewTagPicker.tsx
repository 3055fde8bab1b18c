import { type ComponentProps, use } from 'react'
import { AreaOfContext } from '#parts/area/areaOf.ts'
import { useMakeByName } from '#parts/area/makeByName.ts'
import { filterTexts } from '#parts/filters/texts.ts'
import { SearchOrCreate } from '#parts/SearchOrCreate.tsx'
import { ChosenTags, type TagPicker, withId } from '#parts/TagPicker.tsx'

/** A tag picker that offers to create a tag that it does not find. */
export function NewTagPicker({ ids, onIds }: ComponentProps<typeof TagPicker>) {
  const make = useMakeByName(use(AreaOfContext))('tags')
  const { addTag } = filterTexts.use()
  return (
    <>
      <ChosenTags ids={ids} onIds={onIds} />
      <SearchOrCreate index="tags" label={addTag} make={make} onChoose={({ _id }) => onIds(withId(ids, _id))} />
    </>
  )
}
