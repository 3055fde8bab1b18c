import { fileUrl } from '#api/host.ts'
import { Card } from '#ui/Card.tsx'
import css from './FoundImages.module.css'
import type { FoundImage } from './sources.ts'
import { compareTexts } from './texts.ts'

interface Props {
  images: readonly FoundImage[]
  /** What a picture may be used for besides the cover: new characters, by their place. */
  characters: readonly string[]
  /** `character` is undefined for the cover. */
  onUse: (image: FoundImage, character: number | undefined) => void
}

/** The pictures that source 2 found, each to be taken as the cover or for a character. */
export function FoundImages({ images, characters, onUse }: Props) {
  const texts = compareTexts.use()
  if (images.length === 0) return null
  return (
    <Card title={texts.images} count={images.length}>
      <ul className={css.images} aria-label={texts.images}>
        {images.map((image) => (
          <li key={image.data} className={css.image}>
            <img src={fileUrl(image.preview)} alt={image.title} loading="lazy" className={css.picture} />
            <span className={css.source}>{texts.imageFrom(image.source)}</span>
            <select
              className={css.use}
              aria-label={texts.imageOf(image.title || image.source)}
              value=""
              onChange={({ currentTarget: { value } }) => onUse(image, value === 'cover' ? undefined : Number(value))}
            >
              <option value="" disabled>
                {texts.imageUse}
              </option>
              <option value="cover">{texts.asCover}</option>
              {characters.map((name, at) =>
                name ? (
                  <option key={at} value={at}>
                    {name}
                  </option>
                ) : null,
              )}
            </select>
          </li>
        ))}
      </ul>
    </Card>
  )
}
