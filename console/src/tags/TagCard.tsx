import type { Tag } from '@mokuroku/contract/tags'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { translated } from '#lib/text.ts'
import { AREAS, editorOf } from '#lib/areas.ts'
import { useLabels } from '#parts/labels.ts'
import { LanguageMarks } from '#parts/marks/LanguageMarks.tsx'
import { DEFAULT_TAG_COLOUR } from '#parts/TagChip.tsx'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import shared from '#parts/area/card.module.css'
import table from '#ui/Table.module.css'
import { nameOf } from './nameOf.ts'
import css from './TagCard.module.css'
import { tagTexts } from './texts.ts'

const TONES: Record<Tag['type'], Tone> = {
  GENRE: 'accent',
  THEME: 'plum',
  CHARACTER_TRAIT: 'success',
  CONTENT_WARNING: 'danger',
  CUSTOM: 'neutral',
}

interface Props {
  row: Tag
  /** Its action buttons. */
  actions: ReactNode
  /** Its selection checkbox. */
  box: ReactNode
}

/** A tag in the grid. The whole card links to its editor; the action buttons are above the link. */
export function TagCard({ row: tag, actions, box }: Props) {
  const texts = tagTexts.use()
  const { type: types, status: statuses } = useLabels().Tag.values
  const language = useLanguage()
  const name = nameOf(tag, language)
  const description = translated(tag.translations, 'description', language)
  const { _id, type, color, status } = tag
  return (
    <Stack as="li" gap={2} className={`${shared.card} ${css.card}`} data-list-row>
      <span
        className={css.bar}
        style={{ background: color || DEFAULT_TAG_COLOUR }}
        data-colour={color || DEFAULT_TAG_COLOUR}
      />
      <div className={css.head}>
        <Link
          to={editorOf('Tag', _id)}
          className={`line-clamp stretched-link ${shared.name} ${css.name}`}
          lang={name.lang}
          title={name.text}
        >
          {name.text}
        </Link>
        <Row gap={1} wrap>
          {status !== 'ACTIVE' && (
            <Badge dot tone={status === 'DEPRECATED' ? 'warning' : 'neutral'}>
              {statuses[status]}
            </Badge>
          )}
          <Badge tone={TONES[type]}>{types[type]}</Badge>
        </Row>
      </div>
      {description ? (
        <p className={`line-clamp ${css.description}`} lang={description.lang} title={description.text}>
          {description.text}
        </p>
      ) : (
        <p className={`line-clamp ${css.description}`}>{texts.noDescription}</p>
      )}
      <Counts {...tag} />
      <div className={css.foot}>
        <LanguageMarks kind="Tag" row={tag} />
        <span className={`${css.actions} ${table.dimmed}`}>
          {box}
          {actions}
        </span>
      </div>
    </Stack>
  )
}

/** Use counts; those above zero link to the lists of what uses it. */
function Counts({ _id, usageCount, mediaCount, characterCount }: Tag) {
  const texts = tagTexts.use()
  const language = useLanguage()
  const counts = [
    [texts.usage, usageCount, undefined],
    [texts.media, mediaCount, AREAS.Media.path],
    [texts.characters, characterCount, AREAS.Character.path],
  ] as const
  return (
    <Row as="dl" gap={4} align="end">
      {counts.map(([term, value, path]) => (
        <div key={term} className={css.count}>
          <dt>{term}</dt>
          <dd>
            {path && value > 0 ? (
              <Link to={path} search={{ tags: _id }} className={css.uses}>
                {count(value, language)}
              </Link>
            ) : (
              count(value, language)
            )}
          </dd>
        </div>
      ))}
    </Row>
  )
}

export function TagCardSkeleton() {
  return (
    <Stack gap={2} className={`${shared.card} ${css.card}`}>
      <span className={css.bar} />
      <div className={css.head}>
        <Skeleton width="55%" height={22} />
        <Skeleton width={64} height={22} />
      </div>
      <div className={css.description}>
        <Skeleton height={20} />
      </div>
      <Row gap={4} align="end">
        <Skeleton width="70%" height={39} />
      </Row>
      <div className={css.foot}>
        <Skeleton width={72} height={12} />
      </div>
    </Stack>
  )
}
