import { Check } from 'lucide-react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longMoment } from '#lib/dates.ts'
import { translated, guessLanguage } from '#lib/text.ts'
import { aiTexts } from '#parts/ai/texts.ts'
import { capital, useLabels } from '#parts/labels.ts'
import { mediaTypes } from '#parts/mediaTypes.ts'
import { languageName } from '#parts/titles.ts'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { mediaDetailTexts } from '../detailTexts.ts'
import css from './Comparison.module.css'
import { type Field, isTaken, oneSource, type Relation, type Row as Compared, type Selected, taken } from './fields.ts'
import type { Suggestion } from './sources.ts'
import { compareTexts } from './texts.ts'

interface Props {
  rows: readonly Compared[]
  sources: readonly [Suggestion | null | undefined, Suggestion | null | undefined]
  /** Why each source has nothing to compare. */
  absent: readonly [string | undefined, string | undefined]
  selected: Selected
  onSelect: (next: Selected) => void
}

const SIDES = [0, 1] as const
type Side = (typeof SIDES)[number]

/**
 * Compares the two sources field by field; each value has a button that takes it. A source without data has no column.
 */
export function Comparison({ rows, sources, absent, selected, onSelect }: Props) {
  const texts = compareTexts.use()
  const sides = SIDES.filter((side) => sources[side])
  const { sourceName } = aiTexts.use()
  const same = oneSource(rows)
  const all = (side: Side) =>
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
        <Row gap={2} align="stretch" wrap>
          {sides.map((side) => (
            <Button key={side} size="small" onClick={() => all(side)}>
              {texts.selectAll(side + 1)}
            </Button>
          ))}
        </Row>
      }
    >
      {same && <p className={css.note}>{texts.oneSource(same.map(sourceName))}</p>}
      {SIDES.map((side) =>
        !sources[side] && absent[side] ? (
          <p key={side} className={css.note}>
            {texts.absent(side + 1, absent[side])}
          </p>
        ) : null,
      )}
      <Stack as="ul">
        {rows.map((row) => (
          <CompareRow key={row.key} {...{ row, sides, selected, onSelect }} />
        ))}
      </Stack>
    </Card>
  )
}

type RowProps = Pick<Props, 'selected' | 'onSelect'> & { row: Compared; sides: readonly Side[] }

function CompareRow({ row, sides, selected, onSelect }: RowProps) {
  const texts = compareTexts.use()
  const { sourceName } = aiTexts.use()
  const name = useFieldName()
  const { field, values, origins, relation } = row
  // The same value from the same source is shown once.
  const isOne = relation === 'same source' && JSON.stringify(values[0]) === JSON.stringify(values[1])
  const shown = isOne ? ([0] as const) : sides
  return (
    <li className={css.row} data-single={shown.length === 1 || undefined}>
      <Stack gap={1} className={css.field}>
        <h3 className={css.name}>{name(field)}</h3>
        {relation && <Badge tone={RELATION_TONES[relation]}>{texts.relations[relation]}</Badge>}
      </Stack>
      {shown.map((side) => {
        const on = isTaken(selected, row, side)
        const label = isOne ? texts.takeField(on, name(field)) : texts.takeFrom(on, name(field), side + 1)
        return (
          <div key={side} className={css.side} data-taken={on || undefined}>
            <Row as="p" align="stretch" wrap className={css.source}>
              {isOne ? texts.bothSources : texts.source(side + 1)}
              {origins[side] && <span className={css.origin}>{texts.from(origins[side].map(sourceName))}</span>}
            </Row>
            {values[side] === undefined ? (
              <p className={css.nothing}>{texts.nothing}</p>
            ) : (
              <>
                <div className={css.value}>
                  <FieldValue field={field} value={values[side]} />
                </div>
                <Take label={label} on={on} onTake={() => onSelect(taken(selected, field, values[side]))} />
              </>
            )}
          </div>
        )
      })}
    </li>
  )
}

const RELATION_TONES: Record<Relation, Tone> = {
  agree: 'success',
  'same source': 'neutral',
  alike: 'neutral',
  differ: 'warning',
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

/** Returns a function that names a field: 'Title · Japanese'. */
export function useFieldName() {
  const texts = compareTexts.use()
  // The value of a duration names the unit.
  const labels = { ...useLabels().Media.fields, duration: mediaDetailTexts.use().duration }
  const language = useLanguage()
  return (field: Field) =>
    field.kind === 'text'
      ? texts.ofLanguage(capital(labels[field.name]), languageName(field.lang, language))
      : capital(labels[field.kind === 'single' ? field.name : field.kind])
}

/** A formatted value. */
export function FieldValue({ field, value }: { field: Field; value: unknown }) {
  const { media } = useMessages()
  const types = mediaTypes.use()
  const { minutes } = mediaDetailTexts.use()
  const language = useLanguage()
  if (field.kind === 'text') return <p lang={field.lang}>{String(value)}</p>
  if (field.kind === 'tags' || field.kind === 'characters') return <Names items={value as readonly unknown[]} />
  if (field.name === 'mediaType') return <p>{types[value as keyof typeof types] ?? String(value)}</p>
  if (field.name === 'isOngoing') return <p>{value ? media.ongoing : media.completed}</p>
  if (field.name === 'releaseDate') return <p>{longMoment(String(value), language)}</p>
  if (field.name === 'duration') return <p>{minutes(Number(value))}</p>
  if (field.name === 'originalTitle') return <p lang={guessLanguage(String(value))}>{String(value)}</p>
  return <p>{String(value)}</p>
}

/** Tags and characters by name, characters with their descriptions. */
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
        const name = translated(translations, 'name', language) ?? {
          text: originalName,
          lang: guessLanguage(originalName),
        }
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
