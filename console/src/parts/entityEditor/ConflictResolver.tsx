import { useEffect, useRef, useState } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import type { Fields } from '#lib/editorText.ts'
import { at, autoMerged, resolveConflict, type Side, type VersionConflict } from '#lib/versionConflict.ts'
import type { Names } from '#parts/jsonEditor/idNames.ts'
import { Button } from '#ui/Button.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { useShortcut } from '#ui/useShortcut.ts'
import css from './ConflictResolver.module.css'
import { Value } from './Value.tsx'
import { editorTexts } from './texts.ts'

interface Props {
  stale: VersionConflict
  names: Names
  busy: boolean
  onSave: (merged: Fields, choices: Readonly<Record<string, Side>>) => void
  onBack: () => void
}

const SIDES: readonly Side[] = ['mine', 'theirs']

/** Both changed the same: each conflict with what stood there before, mine and theirs, to choose from. */
export function ConflictResolver({ stale, names, busy, onSave, onBack }: Props) {
  const editor = editorTexts.use()
  const language = useLanguage()
  const [choices, setChoices] = useState<Record<string, Side>>({})
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { conflicts } = stale
  const chosen = conflicts.filter((path) => choices[path]).length
  const save = () => chosen === conflicts.length && !busy && onSave(resolveConflict(stale, choices), choices)
  useShortcut('mod+s', () => {
    save()
  })
  const all = (side: Side) => setChoices(Object.fromEntries(conflicts.map((path) => [path, side])))
  return (
    <Stack as="section" gap={4} aria-labelledby="stale">
      <div>
        <h2 id="stale" ref={heading} tabIndex={-1} className={css.title}>
          {editor.stale.title}
        </h2>
        <p className={css.hint}>{editor.stale.hint(longDateTime(stale.updatedAt, language))}</p>
      </div>
      <div className={css.tools}>
        <Button size="small" onClick={() => all('mine')}>
          {editor.stale.allMine}
        </Button>
        <Button size="small" onClick={() => all('theirs')}>
          {editor.stale.allTheirs}
        </Button>
        <Muted className={css.count} role="status">
          {editor.stale.chosen(chosen, conflicts.length)}
        </Muted>
      </div>
      {conflicts.map((path) => (
        <Conflict
          key={path}
          {...{ stale, path, names }}
          choice={choices[path]}
          onChoose={(side) => setChoices({ ...choices, [path]: side })}
        />
      ))}
      <Kept title={editor.stale.alsoMine} paths={autoMerged(stale, 'mine')} />
      <Kept title={editor.stale.alsoTheirs} paths={autoMerged(stale, 'theirs')} />
      <Row as="footer" gap={2} align="stretch" justify="end" wrap className={css.footer}>
        <Button onClick={onBack}>{editor.stale.back}</Button>
        <Button
          variant="primary"
          busy={busy}
          reason={chosen < conflicts.length ? editor.stale.choose : undefined}
          onClick={save}
        >
          {busy ? editor.saving : editor.saveMerged}
        </Button>
      </Row>
    </Stack>
  )
}

interface ConflictProps {
  stale: VersionConflict
  path: string
  names: Names
  choice: Side | undefined
  onChoose: (side: Side) => void
}

function Conflict({ stale, path, names, choice, onChoose }: ConflictProps) {
  const editor = editorTexts.use()
  const lang = path.startsWith('translations.') ? path.split('.')[1] : undefined
  const base = at(stale.base, path)
  return (
    <fieldset className={css.conflict}>
      <legend className={css.path}>{path}</legend>
      <div className={css.sides}>
        <Stack gap={2} className={css.side}>
          <Row as="p" gap={2} className={css.name}>
            {editor.stale.base}
          </Row>
          <Value value={base} {...{ lang, names }} />
        </Stack>
        {SIDES.map((side) => (
          <Stack as="label" key={side} gap={2} className={css.side} data-choice>
            <Row as="span" gap={2} className={css.name}>
              <input type="radio" name={path} checked={choice === side} onChange={() => onChoose(side)} />
              {editor.stale[side]}
            </Row>
            <Value value={at(stale[side], path)} before={stale.base && base} {...{ lang, names }} />
          </Stack>
        ))}
      </div>
    </fieldset>
  )
}

function Kept({ title, paths }: { title: string; paths: string[] }) {
  if (paths.length === 0) return null
  return (
    <p className={css.kept}>
      {title}: <code>{paths.join(', ')}</code>
    </p>
  )
}
