import type { Completeness, Work } from '@mokuroku/contract/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { count } from '#lib/sizes.ts'
import { languageName } from '#parts/titles.ts'
import { Card } from '#ui/Card.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { Trend } from './Trend.tsx'
import css from './Work.module.css'
import { workTexts } from './workTexts.ts'

/** For each wanted language, the share of entities that have a title or name in it. */
export function CompletenessCard({ work }: { work: UseQueryResult<Work> }) {
  const texts = workTexts.use()
  return (
    <Card title={texts.languages}>
      <Loaded query={work} skeleton={<SkeletonLines lines={3} height={78} />}>
        {({ languages }) =>
          languages.some(({ shares }) => shares.some(({ of }) => of > 0)) ? (
            <Stack as="ul" gap={4} className={css.languages}>
              {languages.map((each) => (
                <LanguageBars key={each.tag} {...each} />
              ))}
            </Stack>
          ) : (
            <Muted as="p">{texts.noEntries}</Muted>
          )
        }
      </Loaded>
    </Card>
  )
}

function LanguageBars({ tag, shares }: Completeness) {
  const locale = useLanguage()
  return (
    <li>
      <h3 className={css.language}>{languageName(tag, locale)}</h3>
      <Stack as="ul" gap={2}>
        {shares
          .filter(({ of }) => of > 0)
          .map((share) => (
            <Share key={share.entityType} tag={tag} {...share} />
          ))}
      </Stack>
    </li>
  )
}

function Share({ tag, entityType, filled, of, past }: { tag: string } & Completeness['shares'][number]) {
  const texts = workTexts.use()
  const { kinds } = useMessages()
  const locale = useLanguage()
  const shown = (value: number) => count(value, locale)
  const percent = percentOf(filled, of)
  const values = past.filter((day) => day.of > 0).map((day) => ({ day: day.day, value: percentOf(day.filled, day.of) }))
  const hasChanged = values.some(({ value }) => value !== percent)
  // Shows 100 % only if nothing is missing.
  const rounded = filled < of ? Math.min(99.9, Math.round(percent * 10) / 10) : 100
  const words = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(rounded / 100)
  return (
    <li className={css.share}>
      <span className={css.of}>{kinds[entityType].list}</span>
      <span
        className={css.bar}
        role="img"
        aria-label={texts.share(words, shown(filled), shown(of))}
        style={{ '--share': `${percent}%` } as object}
      />
      <span className={css.percent} aria-hidden>
        {words}
      </span>
      <span className={css.below}>
        {filled < of && (
          <Link to={AREAS[entityType].path} search={{ missing: tag }}>
            {texts.missing(shown(of - filled), languageName(tag, locale))}
          </Link>
        )}
        {hasChanged && <Trend past={values} now={percent} moreIsBetter inPoints />}
      </span>
    </li>
  )
}

const percentOf = (filled: number, of: number): number => (of > 0 ? (100 * filled) / of : 0)
