import type { Asset } from '@mokuroku/contract/assets'
import { useMemo, useState } from 'react'
import { useDraft } from '#parts/entityEditor/useDraft.ts'
import { complete, EMPTY, type Selected, withCover } from './fields.ts'
import type { FoundImage } from './sources.ts'

const START = { text: JSON.stringify(EMPTY), version: undefined }

/** The data taken from the sources, kept as a draft, with a preview URL for each image that it refers to. */
export function useSelected(images: readonly FoundImage[]) {
  const [selected, setSelected] = useState<Selected>(EMPTY)
  const [uploaded, setUploaded] = useState<ReadonlyMap<string, string>>(new Map())
  const text = JSON.stringify(selected)
  const { offered, adopt, discard, forget, attempt, keep } = useDraft('media/compare', text, START)
  const previews = useMemo(
    () => new Map([...uploaded, ...images.map(({ data, preview }) => [data, preview] as const)]),
    [uploaded, images],
  )

  return {
    selected,
    setSelected,
    previews,
    addPreview: ({ _id, thumbnail, url }: Asset) => setUploaded((now) => new Map(now).set(_id, thumbnail ?? url)),
    /** Takes a found image as the cover, or for the character at this index. */
    takeImage: ({ data }: FoundImage, character: number | undefined) => {
      const { characters = [] } = selected
      setSelected(
        character === undefined
          ? { ...selected, cover: data }
          : {
              ...selected,
              characters: characters.map((each, at) => (at === character ? withCover(each, data) : each)),
            },
      )
    },
    isChanged: text !== START.text,
    draft: {
      offered,
      forget,
      attempt,
      keep,
      restore: () => {
        if (!offered) return
        // An earlier version of the console may have stored fewer fields.
        setSelected(complete(JSON.parse(offered.text) as Partial<Selected>))
        adopt(offered)
      },
      discard: () => offered && discard(offered),
    },
  }
}
