import type { MediaRow } from '@mokuroku/contract/media'
import { kindOf } from '@mokuroku/contract/kinds'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import { guessLanguage } from '#lib/text.ts'
import { Cover } from '#parts/Cover.tsx'
import { texts as findingTexts } from '#parts/findings/texts.ts'
import { mediaTypes } from '#parts/mediaTypes.ts'
import { tagTypes } from '#parts/tagTypes.ts'
import { languageName } from '#parts/titles.ts'
import { Badge } from '#ui/Badge.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import type { Desk } from './desk.ts'
import type { Entry } from './queue.ts'
import { Suggestions } from './Suggestions.tsx'
import { workTexts } from './texts.ts'
import css from './Work.module.css'

const Duplicates = lazyPart(() => import('./Duplicates.tsx'), 'Duplicates')

interface Props {
  desk: Desk
  entry: Entry
  onTake: (position: number) => void
}

/** The entity: its facts, its texts in other languages, and suggestions. */
export function EntityPane({ desk, entry, onTake }: Props) {
  const { entity } = entry
  const language = useLanguage()
  const texts = workTexts.use()
  if (!entity) return null
  const name = desk.area.nameOf(entity, language)
  return (
    <section className={css.entity} aria-labelledby="work-entity">
      <Row as="header" gap={4} align="start" className={css.head}>
        {'cover' in entity && <Cover cover={entity.cover as MediaRow['cover']} entity={entity} size="card" />}
        <div>
          <h2 id="work-entity" tabIndex={-1} lang={name.lang}>
            {name.text}
          </h2>
          <Facts entry={entry} />
          <Link to={screenOf(desk.area.kind, entry.id)} className={css.open}>
            {texts.open}
          </Link>
        </div>
      </Row>
      {entry.findings.some(({ code }) => code === 'duplicate') && (
        <Suspense>
          <Duplicates key={entry.id} desk={desk} entity={entity} />
        </Suspense>
      )}
      <Others desk={desk} entry={entry} />
      {desk.task.fill === 'text' && <Suggestions desk={desk} entry={entry} onTake={onTake} />}
    </section>
  )
}

/** Type, year, and findings. */
function Facts({ entry: { entity, findings } }: { entry: Entry }) {
  const names: Readonly<Record<string, string>> = { ...mediaTypes.use(), ...tagTypes.use() }
  const { mediaType, type, releaseDate } = (entity ?? {}) as Partial<Record<string, string>>
  const kind = mediaType ?? type
  return (
    <>
      <Row as="p" gap={3} className={css.facts}>
        {kind && <Badge>{names[kind] ?? kind}</Badge>}
        {releaseDate && <span>{releaseDate.slice(0, 4)}</span>}
      </Row>
      {findings.length > 0 && <Findings findings={findings} />}
    </>
  )
}

/** The findings in words. The languages without a title share a sentence. */
function Findings({ findings }: Pick<Entry, 'findings'>) {
  const { sentences } = findingTexts.use()
  const language = useLanguage()
  const nameOf = ({ language: tag = '' }: Entry['findings'][number]) => languageName(tag, language)
  const missing = findings.filter(({ code }) => code === 'missing')
  return (
    <ul className={css.findings}>
      {missing.length > 0 && <li>{sentences.missing(new Intl.ListFormat(language).format(missing.map(nameOf)))}</li>}
      {findings
        .filter(({ code }) => code !== 'missing')
        .map((each) => (
          <li key={`${each.code} ${each.language} ${each.field}`}>{sentences[each.code](nameOf(each))}</li>
        ))}
    </ul>
  )
}

/** The same field in all other languages, and the original title. */
function Others({ desk, entry }: { desk: Desk; entry: Entry }) {
  const texts = workTexts.use()
  const locale = useLanguage()
  const { field, kind } = desk.task
  const { entity } = entry
  const target = desk.task.fill === 'text' ? desk.languageIn(entry) : undefined
  const { original = '' } = kindOf(kind).texts ?? {}
  const first = (entity?.[original] as string | undefined) ?? ''
  const others = Object.entries((entity?.translations ?? {}) as Record<string, Record<string, string>>).filter(
    ([tag, each]) => tag !== target && each[field]?.trim(),
  )
  return (
    <section aria-labelledby="work-others">
      <h3 id="work-others">{texts.inOther}</h3>
      {others.length === 0 && !first && <Muted as="p">{texts.noOther}</Muted>}
      <Stack as="dl" gap={2}>
        {first && (
          <div className={css.pair}>
            <dt>{texts.original}</dt>
            <dd lang={guessLanguage(first)}>{first}</dd>
          </div>
        )}
        {others.map(([tag, each]) => (
          <div key={tag} className={css.pair}>
            <dt>{languageName(tag, locale)}</dt>
            <dd lang={tag}>{each[field]}</dd>
          </div>
        ))}
      </Stack>
    </section>
  )
}
