import type { Asset } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { translated } from '#lib/text.ts'
import { Cover } from '#parts/Cover.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import type { Choice } from '#parts/Suggestion.tsx'
import { original } from '#parts/titles.ts'
import { useRecentCharacters } from '#parts/useRecentCharacters.ts'
import { Badge } from '#ui/Badge.tsx'
import { IconButton } from '#ui/Button.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import type { CharacterMatches } from './characterMatches.ts'
import { DescribedItem } from './DescribedItem.tsx'
import { existingOf, idOf, isDescribed, isSameCharacter, type SelectedCharacter, withCover } from './fields.ts'
import { ImageButton } from './ImageButton.tsx'
import css from './Picked.module.css'
import { compareTexts } from './texts.ts'
import { useImageUpload } from './useImageUpload.ts'

interface Props {
  characters: readonly SelectedCharacter[]
  /** Image URLs by what `cover` holds: an asset id or an external URL. */
  previews: ReadonlyMap<string, string>
  onChange: (change: (characters: readonly SelectedCharacter[]) => SelectedCharacter[]) => void
  onUploaded: (asset: Asset) => void
  /** Stored characters that a described one may be. */
  matchesOf: CharacterMatches['matchesOf']
}

/** The characters of the new media item: suggested ones, which are created with it, and stored ones. */
export function SelectedCharacters({ characters, previews, onChange, onUploaded, matchesOf }: Props) {
  const texts = compareTexts.use()
  const [text, setText] = useState('')
  const add = ({ _id }: Choice) => {
    setText('')
    if (characters.some((each) => (idOf(each) ?? existingOf(each)) === _id)) return toast.info(texts.characterTwice)
    onChange((now) => [...now, _id])
    toast.success(texts.characterAdded)
  }
  const remove = (at: number) => onChange((now) => now.filter((_, index) => index !== at))
  return (
    <Stack as="section" gap={2} className={css.picked} aria-label={texts.characters}>
      <h3 className={css.title}>
        {texts.characters}
        <Muted className={css.count}>{characters.length}</Muted>
      </h3>
      <SearchSelect
        index="characters"
        takesFirst
        label={texts.characterSearch}
        placeholder={texts.searchHint}
        text={text}
        onText={setText}
        onChoose={add}
        recentTitle={texts.recent}
        {...useRecentCharacters()}
      />
      {characters.length === 0 && <Muted as="p">{texts.charactersEmpty}</Muted>}
      <Stack as="ul" gap={1}>
        {characters.map((character, at) =>
          isDescribed(character) ? (
            <DescribedItem
              key={`new-${at}`}
              character={character}
              matches={matchesOf(character)}
              previews={previews}
              onRemove={() => remove(at)}
              onDecide={(existing) =>
                onChange((now) => now.map((each, index) => (index === at ? { ...character, existing } : each)))
              }
              onImage={(asset) => {
                onUploaded(asset)
                onChange((now) => {
                  const place = placeOf(character, now)
                  return now.map((each, index) => (index === place ? withCover(each, asset._id) : each))
                })
              }}
            />
          ) : (
            <Stored key={idOf(character)} id={idOf(character) ?? ''} onRemove={() => remove(at)} />
          ),
        )}
      </Stack>
    </Stack>
  )
}

/** Index of a character in a list that may have changed since, as may the character itself. */
const placeOf = (character: SelectedCharacter, now: readonly SelectedCharacter[]) =>
  now.includes(character) ? now.indexOf(character) : now.findIndex((each) => isSameCharacter(each, character))

/** A stored character: an image that is uploaded for it becomes its cover immediately. */
function Stored({ id, onRemove }: { id: string; onRemove: () => void }) {
  const texts = compareTexts.use()
  const language = useLanguage()
  const refusal = useRefusal()
  const { busy, refusal: noUpload, upload } = useImageUpload()
  const { data, isPending } = useQuery({ ...q(charactersApi.find, { id }), meta: { quiet: true } })
  if (isPending) return <Skeleton height={44} />
  const name = translated(data?.translations ?? {}, 'name', language) ??
    original(data?.originalName) ?? { text: id, lang: undefined }
  const use = async (asset: Asset) => {
    if (!data) return
    const { translations, version } = data
    await call(charactersApi.update, { id, body: { translations, cover: asset._id }, base: version })
  }
  return (
    <li className={css.item}>
      <Cover cover={data?.cover ?? ''} entity={data} size="row" />
      <Row as="span" wrap className={css.name}>
        <span lang={name.lang}>{name.text}</span>
        <Badge>{texts.isStored}</Badge>
      </Row>
      <ImageButton
        label={texts.uploadFor(name.text)}
        text={busy ? texts.uploading : texts.upload}
        busy={busy}
        reason={noUpload ?? (data && refusal('edit', 'Character', data.createdBy))}
        onFile={(file) => upload({ name: name.text, file, use })}
      />
      <IconButton size="small" icon={X} label={texts.remove(name.text)} onClick={onRemove} />
    </li>
  )
}
