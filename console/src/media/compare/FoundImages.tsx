import { useState } from 'react'
import { fileUrl } from '#api/host.ts'
import { Card } from '#ui/Card.tsx'
import { Row, Truncate } from '#ui/layout.tsx'
import css from './FoundImages.module.css'
import type { FoundImage } from './sources.ts'
import { compareTexts } from './texts.ts'

interface Props {
  images: readonly FoundImage[]
  /** The cover that has been taken. */
  cover: unknown
  /** New characters for which an image may also be taken, with the cover taken for each. */
  characters: readonly { name: string; cover: unknown }[]
  /** `character` is its index in the list; undefined for the cover. */
  onUse: (image: FoundImage, character: number | undefined) => void
}

/** The images that source 2 found; each can be taken as the cover or for a character. */
export function FoundImages({ images, ...props }: Props) {
  const texts = compareTexts.use()
  if (images.length === 0) return null
  return (
    <Card title={texts.images} count={images.length}>
      <Row as="ul" gap={3} align="stretch" className={css.images} aria-label={texts.images}>
        {images.map((image) => (
          <FoundPicture key={image.data} image={image} {...props} />
        ))}
      </Row>
    </Card>
  )
}

function FoundPicture({ image, cover, characters, onUse }: { image: FoundImage } & Omit<Props, 'images'>) {
  const texts = compareTexts.use()
  const [isBroken, setBroken] = useState(false)
  const character = characters.findIndex((each) => each.cover === image.data)
  const used = cover === image.data ? 'cover' : character < 0 ? '' : String(character)
  return (
    <li className={css.image}>
      {isBroken ? (
        <span className={css.broken}>{texts.imageBroken}</span>
      ) : (
        <img
          src={fileUrl(image.preview)}
          alt={image.title}
          loading="lazy"
          className={css.picture}
          onError={() => setBroken(true)}
        />
      )}
      <Truncate className={css.source}>{texts.imageFrom(image.source)}</Truncate>
      {!isBroken && (
        <select
          className={css.use}
          aria-label={texts.imageOf(image.title || image.source)}
          value={used}
          onChange={({ currentTarget: { value } }) => onUse(image, value === 'cover' ? undefined : Number(value))}
        >
          <option value="" disabled>
            {texts.imageUse}
          </option>
          <option value="cover">{texts.asCover}</option>
          {characters.map(({ name }, at) =>
            name ? (
              <option key={at} value={at}>
                {name}
              </option>
            ) : null,
          )}
        </select>
      )}
    </li>
  )
}
