import type { Asset } from '@mokuroku/contract/assets'
import { type Character, charactersApi } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { translated } from '#lib/text.ts'
import { Cover } from '#parts/Cover.tsx'
import { original, useTitleOf } from '#parts/titles.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { type Described, nameOf } from './fields.ts'
import { ImageButton } from './ImageButton.tsx'
import css from './Picked.module.css'
import { compareTexts } from './texts.ts'
import { useImageUpload } from './useImageUpload.ts'

/** How many media of a stored character are named. */
const MAX_MEDIA = 3

interface Props {
  character: Described
  /** Stored characters that it may be. */
  matches: readonly Character[]
  /** Image URLs by what `cover` holds: an asset id or an external URL. */
  previews: ReadonlyMap<string, string>
  onRemove: () => void
  /** Called with the id of the stored character that it is, or null to create a new one. */
  onDecide: (existing: string | null) => void
  onImage: (asset: Asset) => void
}

/** A character of a suggestion: created together with the media item, unless the user says that it is a stored one. */
export function DescribedItem({ character, matches, previews, onRemove, onDecide, onImage }: Props) {
  const texts = compareTexts.use()
  const { busy, refusal, upload } = useImageUpload()
  const name = nameOf(character, useLanguage())
  const shown = name.text || texts.unnamed
  const { cover, existing } = character
  const url = typeof cover === 'string' ? previews.get(cover) : undefined
  return (
    <li>
      <div className={css.item}>
        <Cover cover={url ? { _id: '', url } : ''} entity={character} size="row" />
        <Row as="span" wrap className={css.name}>
          <span lang={name.lang}>{shown}</span>
          {existing ? <Badge>{texts.isStored}</Badge> : <Badge tone="accent">{texts.isNewCharacter}</Badge>}
        </Row>
        {!existing && (
          <ImageButton
            label={texts.uploadFor(shown)}
            text={busy ? texts.uploading : texts.upload}
            busy={busy}
            reason={refusal}
            onFile={(file) => upload({ name: shown, file, use: onImage })}
          />
        )}
        <IconButton size="small" icon={X} label={texts.remove(shown)} onClick={onRemove} />
      </div>
      {matches.length > 0 && (
        <div className={css.matches} role="group" aria-label={texts.matchesOf(shown)}>
          <p>{texts.matchesOf(shown)}</p>
          <ul>
            {matches.map((match) => (
              <Match key={match._id} match={match} on={existing === match._id} onUse={() => onDecide(match._id)} />
            ))}
          </ul>
          <Button size="small" aria-pressed={existing === null} onClick={() => onDecide(null)}>
            {texts.makeNew}
          </Button>
          {existing && <p className={css.leftOut}>{texts.leftOut}</p>}
        </div>
      )}
    </li>
  )
}

/** A stored character: its name, its image, and media it appears in. */
function Match({ match, on, onUse }: { match: Character; on: boolean; onUse: () => void }) {
  const texts = compareTexts.use()
  const language = useLanguage()
  const titleOf = useTitleOf()
  const { _id: id, translations, originalName, cover } = match
  const media = useQuery({ ...q(charactersApi.media, { id, query: { limit: MAX_MEDIA } }), meta: { quiet: true } })
  const name = translated(translations, 'name', language) ?? original(originalName) ?? { text: id, lang: undefined }
  const titles = media.data?.map((each) => ({ ...titleOf(each), key: each._id })) ?? []
  return (
    <li className={css.item}>
      <Cover cover={cover} entity={match} size="row" />
      <Row as="span" wrap className={css.name}>
        <Link to="/characters/$id" params={{ id }} target="_blank" lang={name.lang}>
          {name.text}
        </Link>
        <Row as="span" align="stretch" wrap className={css.media}>
          {titles.map(({ text, lang, key }) => (
            <span key={key} lang={lang}>
              {text}
            </span>
          ))}
        </Row>
      </Row>
      <Button size="small" aria-pressed={on} aria-label={texts.existingNamed(name.text)} onClick={onUse}>
        {texts.sameOne}
      </Button>
    </li>
  )
}
