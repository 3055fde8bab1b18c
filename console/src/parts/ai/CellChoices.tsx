import { useId } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { languageName } from '#parts/titles.ts'
import { WordDiff } from '#parts/WordDiff.tsx'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import type { Cell } from './cells.ts'
import css from './CellChoices.module.css'
import { aiTexts } from './texts.ts'

interface Props {
  /** Accessible name: what the cells belong to. */
  label: string
  cells: readonly Cell[]
  accepted: ReadonlySet<string>
  onAccept: (keys: ReadonlySet<string>) => void
}

/**
 * Proposed texts, one per language and field, each to be accepted or not. Existing texts are only replaced if the user
 * accepts that.
 */
export function CellChoices({ label, cells, accepted, onAccept }: Props) {
  const texts = aiTexts.use()
  const changes = cells.filter(({ before, after }) => before !== after)
  const count = changes.filter(({ key }) => accepted.has(key)).length
  const set = (keys: readonly string[]) => {
    const mine = new Set(changes.map(({ key }) => key))
    onAccept(new Set([...[...accepted].filter((key) => !mine.has(key)), ...keys]))
  }
  if (changes.length === 0)
    return (
      <Muted as="p" inline>
        {texts.same}
      </Muted>
    )
  return (
    <Stack role="group" aria-label={label} gap={2}>
      <Row gap={2} wrap>
        <Button size="small" onClick={() => set(changes.map(({ key }) => key))}>
          {texts.acceptAll}
        </Button>
        <Button size="small" onClick={() => set(changes.filter(({ before }) => !before).map(({ key }) => key))}>
          {texts.acceptNew}
        </Button>
        <Button size="small" onClick={() => set([])}>
          {texts.acceptNone}
        </Button>
        <Muted className={css.count} role="status">
          {texts.accepted(count, changes.length)}
        </Muted>
      </Row>
      {changes.map((cell) => (
        <Choice
          key={cell.key}
          cell={cell}
          checked={accepted.has(cell.key)}
          onToggle={(on) => {
            const next = new Set(accepted)
            if (on) next.add(cell.key)
            else next.delete(cell.key)
            onAccept(next)
          }}
        />
      ))}
    </Stack>
  )
}

function Choice({ cell, checked, onToggle }: { cell: Cell; checked: boolean; onToggle: (on: boolean) => void }) {
  const texts = aiTexts.use()
  const language = useLanguage()
  const id = useId()
  const { lang, field, before, after } = cell
  const name = texts.cell(
    field in texts.fields ? texts.fields[field as keyof typeof texts.fields] : field,
    languageName(lang, language),
  )
  return (
    <div className={css.cell} data-accepted={checked || undefined}>
      <Row as="label" wrap className={css.name} htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          aria-label={`${texts.accept}: ${name}`}
          checked={checked}
          onChange={(event) => onToggle(event.currentTarget.checked)}
        />
        {name}
        <Badge tone={before ? 'warning' : 'success'}>{before ? texts.replaces : texts.isNew}</Badge>
      </Row>
      <div className={css.text}>
        {before ? (
          <WordDiff before={before} after={after} lang={lang} short />
        ) : (
          <p className={css.new} lang={lang}>
            {after}
          </p>
        )}
      </div>
    </div>
  )
}
