import type { Character } from '@mokuroku/contract/characters'
import { Link } from '@tanstack/react-router'
import { Eye, SquarePen, Trash2 } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { Cover } from '#parts/Cover.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { TagChip } from '#parts/TagChip.tsx'
import { original } from '#parts/titles.ts'
import { buttonClass, IconButton } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './CharacterCard.module.css'
import { CharacterLink } from './CharacterLink.tsx'
import { useNameOf } from './nameOf.ts'

/** Tags shown before '+N more'. */
const TAGS = 3

interface Props {
  character: Character
  onDelete: (character: Character) => void
}

/** A character among others. The whole card leads to it; its actions lie above. */
export function CharacterCard({ character, onDelete }: Props) {
  const { characters: texts } = useMessages()
  const name = useNameOf()(character)
  const published = original(character.originalName)
  const { _id, cover, tags, mediaCount } = character
  return (
    <li className={css.card} data-list-row>
      <Cover cover={cover} size="tile" />
      <div className={css.names}>
        <CharacterLink id={_id} className={css.name} lang={name.lang} title={name.text}>
          {name.text}
        </CharacterLink>
        {published && published.text !== name.text && (
          <span className={css.original} lang={published.lang} title={published.text}>
            {published.text}
          </span>
        )}
      </div>
      <div className={css.tags}>
        {tags.slice(0, TAGS).map((tag) => (
          <TagChip key={tag._id} tag={tag} short />
        ))}
        {tags.length > TAGS && <span className={css.more}>{texts.moreTags(tags.length - TAGS)}</span>}
      </div>
      <div className={css.foot}>
        <span className={css.count}>{texts.inMedia(mediaCount)}</span>
        <span className={css.actions}>
          <Actions character={character} name={name.text} onDelete={onDelete} />
        </span>
      </div>
    </li>
  )
}

function Actions({ character, name, onDelete }: Props & { name: string }) {
  const { characters: texts } = useMessages()
  const refusal = useRefusal()
  const { _id, createdBy } = character
  const noEdit = refusal('edit', 'Character', createdBy)
  const look = `${buttonClass({ variant: 'quiet', size: 'small', icon: true })} ${css.action}`
  return (
    <>
      <CharacterLink id={_id} className={look} aria-label={texts.view(name)} title={texts.view(name)}>
        <Eye size={15} aria-hidden />
      </CharacterLink>
      {noEdit ? (
        <IconButton size="small" icon={SquarePen} label={texts.edit(name)} reason={noEdit} className={css.action} />
      ) : (
        <Link to={`/characters/${_id}/edit`} className={look} aria-label={texts.edit(name)} title={texts.edit(name)}>
          <SquarePen size={15} aria-hidden />
        </Link>
      )}
      <IconButton
        size="small"
        icon={Trash2}
        toDelete
        label={texts.delete(name)}
        reason={refusal('delete', 'Character', createdBy)}
        className={css.action}
        onClick={() => onDelete(character)}
      />
    </>
  )
}

export function CharacterCardSkeleton() {
  return (
    <div className={css.card}>
      <span className={css.portraitBone}>
        <Skeleton height="100%" />
      </span>
      <div className={css.names}>
        <Skeleton width="70%" height={16} />
        <Skeleton width="45%" height={12} />
      </div>
      <div className={css.tags}>
        <Skeleton width={64} height={20} />
        <Skeleton width={72} height={20} />
      </div>
      <div className={css.foot}>
        <Skeleton width={56} height={12} />
      </div>
    </div>
  )
}
