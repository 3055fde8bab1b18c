import { type Asset, assetsApi } from '@mokuroku/contract/assets'
import { useQuery } from '@tanstack/react-query'
import { ImageOff, Search } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { fileUrl } from '#api/host.ts'
import { qList } from '#api/query.ts'
import { messageOf } from '#i18n/errors.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { TextField } from '#ui/Field.tsx'
import { Kbd } from '#ui/Kbd.tsx'
import { KeyHint } from '#ui/KeyHint.tsx'
import { Muted, Stack, Truncate } from '#ui/layout.tsx'
import { Failed } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { useFailure } from '#ui/useFailure.ts'
import css from './ImagePicker.module.css'
import { imageTexts } from './texts.ts'

/** How many images are shown at once. */
const OFFERED = 12
const NONE: readonly Asset[] = []

interface Props {
  /** Id of the chosen image; '' for no image, undefined if nothing is chosen yet. */
  value: string | undefined
  onChoose: (id: string, asset?: Asset) => void
  /** Whether "no image" is an option. */
  offersNone?: boolean
  /** Images to show before the search results: those just uploaded. */
  first?: readonly Asset[]
  /** The shortcut for the image at a 0-based position, if there is one. */
  shortcutOf?: ((position: number) => string | undefined) | undefined
}

/** Chooses an image from the catalogue: from the newest ones, or by filename. */
export function ImagePicker({ value, onChoose, offersNone = false, first = NONE, shortcutOf }: Props) {
  const texts = imageTexts.use()
  const name = useId()
  const [text, setText] = useState('')
  const search = useDebounced(text.trim())
  const listed = useQuery({
    ...qList(assetsApi.list, { query: { type: 'IMAGE', status: 'READY', limit: OFFERED, ...(search && { search }) } }),
    meta: { quiet: true },
  })
  const { isFetching, refetch } = listed
  const failure = useFailure(listed)
  // During Retry, `data` is that of the previous search.
  const data = failure ? undefined : listed.data
  const found = (data?.data ?? []).filter(({ _id }) => !first.some((each) => each._id === _id))
  const images = [...first, ...found].slice(0, OFFERED)
  const option = (id: string, label: string, picture: ReactNode, asset?: Asset, shortcut?: string) => (
    <Stack as="label" key={id} gap={1} className={css.image} title={label}>
      <input
        type="radio"
        name={name}
        value={id}
        title={shortcut}
        checked={value === id}
        onChange={() => onChoose(id, asset)}
      />
      {picture}
      <Truncate>{label}</Truncate>
      {shortcut && (
        // Not a part of the name; the title says it, too.
        <span aria-hidden>
          <KeyHint>
            <Kbd>{shortcut}</Kbd>
          </KeyHint>
        </span>
      )}
    </Stack>
  )
  return (
    <>
      <TextField
        hideLabel
        type="search"
        icon={Search}
        label={texts.find}
        placeholder={texts.find}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {failure && <Failed what={texts.failed} hint={messageOf(failure)} busy={isFetching} retry={refetch} />}
      {listed.isPending && !failure && (
        <div>
          <p className="sr-only" role="status">
            {texts.loading}
          </p>
          <SkeletonLines lines={2} />
        </div>
      )}
      {data && images.length === 0 && (
        <Muted as="p" role="status">
          {texts.empty}
        </Muted>
      )}
      <fieldset className={css.images}>
        <legend className="sr-only">{texts.image}</legend>
        {offersNone &&
          option(
            '',
            texts.none,
            <span className={css.none}>
              <ImageOff size={20} aria-hidden />
            </span>,
          )}
        {images.map((asset, position) =>
          option(
            asset._id,
            asset.filename,
            <img src={fileUrl(asset.thumbnail ?? asset.url)} alt="" loading="lazy" />,
            asset,
            shortcutOf?.(position),
          ),
        )}
      </fieldset>
    </>
  )
}
