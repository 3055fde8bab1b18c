import { Check } from 'lucide-react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { translated, writingOf } from '#lib/text.ts'
import { languageName } from '#parts/titles.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import css from './Comparison.module.css'
import { type Field, isTaken, keyOf, type Row, type Selected, taken } from './fields.ts'
import type { Suggestion } from './sources.ts'
import { compareTexts } from './texts.ts'

interface Props {
  rows: readonly Row[]
  sources: readonly [Suggestion | null | undefined, Suggestion | null | undefined]
  selected: Selected
  onSelect: (next: Selected) => void
}

const SIDES = [0, 1] as const

/** What the two sources say, field by field, each with a button that takes it. */
export function Comparison({ rows, sources, selected, onSelect }: Props) {
  const texts = compareTexts.use()
  const name = useFieldName()
  const all = (side: 0 | 1) =>
    onSelect(
      rows.reduce(
        (next, { field, values }) => (values[side] === undefined ? next : taken(next, field, values[side])),
        selected,
      ),
    )
  return (
    <Card
      flush
      title={texts.comparison}
      action={
        <div className={css.all}>
          {SIDES.filter((side) => sources[side]).map((side) => (
            <Button key={side} size="small" onClick={() => all(side)}>
              {texts.selectAll(side + 1)}
            </Button>
          ))}
        </div>
      }
    >
      <ul className={css.rows}>
        {rows.map((row) => (
          <li key={row.key} className={css.row}>
            <div className={css.field}>
              <h3 className={css.name}>{name(row.field)}</h3>
              {row.agrees ? (
                <Badge tone="success">{texts.agree}</Badge>
              ) : (
                row.values.every((value) => value !== undefined) && <Badge tone="warning">{texts.differ}</Badge>
              )}
            </div>
            {SIDES.map((side) => (
              <div key={side} className={css.side} data-taken={isTaken(selected, row, side) || undefined}>
                <p className={css.source}>
                  {texts.source(side + 1)}
                  <From source={sources[side]} field={row.field} />
                </p>
                {row.values[side] === undefined ? (
                  <p className={css.nothing}>{texts.nothing}</p>
                ) : (
                  <>
                    <div className={css.value}>
                      <FieldValue field={row.field} value={row.values[side]} />
                    </div>
                    <Take
                      label={texts.selectFrom(name(row.field), side + 1)}
                      on={isTaken(selected, row, side)}
                      onTake={() => onSelect(taken(selected, row.field, row.values[side]))}
                    />
                  </>
                )}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Take({ label, on, onTake }: { label: string; on: boolean; onTake: () => void }) {
  const texts = compareTexts.use()
  return (
    <Button
      size="small"
      className={css.take ?? ''}
      aria-label={label}
      aria-pressed={on}
      {...(on && { icon: Check })}
      onClick={onTake}
    >
      {on ? texts.selected : texts.select}
    </Button>
  )
}

/** Where a source has a field from, when it says so. */
function From({ source, field }: { source: Suggestion | null | undefined; field: Field }) {
  const texts = compareTexts.use()
  const origins = source?.origins
  const origin = origins?.[keyOf(field)] ?? (field.kind === 'text' ? origins?.translations : undefined)
  return origin ? <span className={css.origin}>{texts.from(origin)}</span> : null
}

/** 'Title · Japanese'. */
export function useFieldName() {
  const texts = compareTexts.use()
  const language = useLanguage()
  return (field: Field) =>
    field.kind === 'text'
      ? texts.ofLanguage(texts.fields[field.name], languageName(field.lang, language))
      : texts.fields[field.kind === 'single' ? field.name : field.kind]
}

/** A value as a person reads it. */
export function FieldValue({ field, value }: { field: Field; value: unknown }) {
  const { media, mediaDetail } = useMessages()
  const language = useLanguage()
  if (field.kind === 'text') return <p lang={field.lang}>{String(value)}</p>
  if (field.kind === 'tags' || field.kind === 'characters') return <Names items={value as readonly unknown[]} />
  if (field.name === 'mediaType') return <p>{media.types[value as keyof typeof media.types] ?? String(value)}</p>
  if (field.name === 'isOngoing') return <p>{value ? media.ongoing : media.completed}</p>
  if (field.name === 'releaseDate') return <p>{longDate(String(value), language, 'UTC')}</p>
  if (field.name === 'duration') return <p>{mediaDetail.minutes(Number(value))}</p>
  if (field.name === 'originalTitle') return <p lang={writingOf(String(value))}>{String(value)}</p>
  return <p>{String(value)}</p>
}

/** Tags and characters by their names, characters with what is said of them. */
function Names({ items }: { items: readonly unknown[] }) {
  const language = useLanguage()
  const texts = compareTexts.use()
  return (
    <ul className={css.names}>
      {items.map((item, at) => {
        if (typeof item === 'string')
          return (
            <li key={at} className={css.tag}>
              <Badge>{item}</Badge>
            </li>
          )
        const { translations = {}, originalName = '' } = item as {
          translations?: Record<string, Record<string, string>>
          originalName?: string
        }
        const name = translated(translations, 'name', language) ?? { text: originalName, lang: writingOf(originalName) }
        const description = translated(translations, 'description', language)
        return (
          <li key={at}>
            <strong lang={name.lang}>{name.text || texts.unnamed}</strong>
            {description && (
              <span className={css.about} lang={description.lang}>
                {description.text}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
