import type { Tag } from '@mokuroku/contract/tags'
import { Link } from '@tanstack/react-router'
import { SquarePen, Trash2 } from 'lucide-react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { languagesOf, translated } from '#lib/text.ts'
import { useRefusal } from '#parts/refusal.ts'
import { COLOURLESS } from '#parts/TagChip.tsx'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { buttonClass, IconButton } from '#ui/Button.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useNameOf } from './nameOf.ts'
import css from './TagCard.module.css'

const TONES: Record<Tag['type'], Tone> = {
  GENRE: 'accent',
  THEME: 'plum',
  CHARACTER_TRAIT: 'success',
  CONTENT_WARNING: 'danger',
  CUSTOM: 'neutral',
}

interface Props {
  tag: Tag
  onDelete: (tag: Tag) => void
}

/** A tag among others. The whole card leads to its editor; the actions lie above. */
export function TagCard({ tag, onDelete }: Props) {
  const { tags: texts } = useMessages()
  const language = useLanguage()
  const name = useNameOf()(tag)
  const description = translated(tag.translations, 'description', language)
  const { _id, type, color, status } = tag
  return (
    <li className={css.card} data-list-row>
      <span className={css.bar} style={{ background: color || COLOURLESS }} data-colour={color || COLOURLESS} />
      <div className={css.head}>
        <Link to={`/tags/${_id}/edit`} className={css.name} lang={name.lang} title={name.text}>
          {name.text}
        </Link>
        <Badge tone={TONES[type]}>{texts.types[type]}</Badge>
      </div>
      {description ? (
        <p className={css.description} lang={description.lang} title={description.text}>
          {description.text}
        </p>
      ) : (
        <p className={css.description}>{texts.noDescription}</p>
      )}
      <Counts {...tag} />
      <div className={css.foot}>
        <Codes {...tag} />
        {status !== 'ACTIVE' && (
          <Badge dot tone={status === 'DEPRECATED' ? 'warning' : 'neutral'}>
            {texts.statuses[status]}
          </Badge>
        )}
        <span className={css.actions}>
          <Actions tag={tag} name={name.text} onDelete={onDelete} />
        </span>
      </div>
    </li>
  )
}

function Counts({ usageCount, mediaCount, characterCount }: Tag) {
  const { tags: texts } = useMessages()
  const language = useLanguage()
  const counts = [
    [texts.usage, usageCount],
    [texts.media, mediaCount],
    [texts.characters, characterCount],
  ] as const
  return (
    <dl className={css.counts}>
      {counts.map(([term, value]) => (
        <div key={term} className={css.count}>
          <dt>{term}</dt>
          <dd>{count(value, language)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Codes({ translations }: Pick<Tag, 'translations'>) {
  const { tags: texts } = useMessages()
  const codes = languagesOf(translations)
  if (codes.length === 0) return <span className={css.codes}>{texts.noTranslations}</span>
  return (
    <span className={css.codes} title={codes.join(', ')}>
      <span className="sr-only">{texts.translatedInto} </span>
      {codes.join(' · ')}
    </span>
  )
}

function Actions({ tag, name, onDelete }: Props & { name: string }) {
  const { tags: texts } = useMessages()
  const refusal = useRefusal()
  const noEdit = refusal('edit', 'Tag', tag.createdBy)
  const look = `${buttonClass({ variant: 'quiet', size: 'small', icon: true })} ${css.action}`
  return (
    <>
      {noEdit ? (
        <IconButton size="small" icon={SquarePen} label={texts.edit(name)} reason={noEdit} className={css.action} />
      ) : (
        <Link to={`/tags/${tag._id}/edit`} className={look} aria-label={texts.edit(name)} title={texts.edit(name)}>
          <SquarePen size={15} aria-hidden />
        </Link>
      )}
      <IconButton
        size="small"
        icon={Trash2}
        toDelete
        label={texts.delete(name)}
        reason={refusal('delete', 'Tag', tag.createdBy)}
        className={css.action}
        onClick={() => onDelete(tag)}
      />
    </>
  )
}

export function TagCardSkeleton() {
  return (
    <div className={css.card}>
      <span className={css.bar} />
      <div className={css.head}>
        <Skeleton width="55%" height={22} />
        <Skeleton width={64} height={22} />
      </div>
      <div className={css.description}>
        <Skeleton height={20} />
      </div>
      <div className={css.counts}>
        <Skeleton width="70%" height={39} />
      </div>
      <div className={css.foot}>
        <Skeleton width={72} height={12} />
      </div>
    </div>
  )
}
