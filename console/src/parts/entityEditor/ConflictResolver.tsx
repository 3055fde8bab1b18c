import { getPath } from '@mokuroku/contract/merge'
import { useEffect, useRef, useState } from 'react'
import { useMe } from '#api/session.ts'
import { joinSentences } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import type { Fields } from '#lib/editorText.ts'
import { enumerated } from '#lib/text.ts'
import {
  autoMerged,
  isOwnConflict,
  resolveConflict,
  type Side as Chosen,
  type VersionConflict,
} from '#lib/versionConflict.ts'
import { useChangeText } from '#parts/history/changeText.ts'
import { partsOf } from '#parts/history/differences.ts'
import type { Revised } from '#parts/history/revised.ts'
import type { Names } from '#parts/jsonEditor/idNames.ts'
import { Button } from '#ui/Button.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Side, SideBefore, Sides } from '#ui/Sides.tsx'
import { useShortcut } from '#ui/useShortcut.ts'
import css from './ConflictResolver.module.css'
import { listPeople } from './listPeople.ts'
import { Value } from './Value.tsx'
import { editorTexts } from './texts.ts'

interface Props {
  revised: Revised
  stale: VersionConflict
  names: Names
  busy: boolean
  /** Label of the button that applies the choices; by default that of saving. */
  action?: string | undefined
  onSave: (merged: Fields, choices: Readonly<Record<string, Chosen>>) => void
  onBack: () => void
}

const SIDES: readonly Chosen[] = ['mine', 'theirs']

/** The texts; of two windows, if the user alone has saved it since. */
function useWords(stale: VersionConflict) {
  const { username } = useMe()
  const { stale: words } = editorTexts.use()
  return isOwnConflict(stale, username) ? { ...words, ...words.own } : words
}

/**
 * Resolves conflicts: for each, the user chooses between their own and the other version. Also shows the base. Nothing
 * is chosen yet if another version conflicts.
 */
export const ConflictResolver = (props: Props) => <Resolver key={props.stale.version} {...props} />

function Resolver({ revised, stale, names, busy, action, onSave, onBack }: Props) {
  const editor = editorTexts.use()
  const words = useWords(stale)
  const language = useLanguage()
  const { namesOf } = useChangeText(revised)
  const [choices, setChoices] = useState<Record<string, Chosen>>({})
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { conflicts } = stale
  const chosen = conflicts.filter((path) => choices[path]).length
  const save = () => chosen === conflicts.length && !busy && onSave(resolveConflict(stale, choices), choices)
  useShortcut('mod+s', () => {
    save()
  })
  const all = (side: Chosen) => setChoices(Object.fromEntries(conflicts.map((path) => [path, side])))
  return (
    <Stack as="section" gap={4} aria-labelledby="stale">
      <div>
        <h2 id="stale" ref={heading} tabIndex={-1} className={css.title}>
          {words.title}
        </h2>
        <p className={css.hint}>
          {words.hint(longDateTime(stale.updatedAt, language), listPeople(stale.savedBy ?? [], 0, language))}
        </p>
      </div>
      <Row gap={2} wrap>
        <Button size="small" onClick={() => all('mine')}>
          {words.allMine}
        </Button>
        <Button size="small" onClick={() => all('theirs')}>
          {words.allTheirs}
        </Button>
        <Muted className={css.count} role="status">
          {words.chosen(chosen, conflicts.length)}
        </Muted>
      </Row>
      {conflicts.map((path) => (
        <Conflict
          key={path}
          {...{ revised, stale, path, names }}
          choice={choices[path]}
          onChoose={(side) => setChoices({ ...choices, [path]: side })}
        />
      ))}
      <AutoMerged title={words.alsoMine} fields={namesOf(autoMerged(stale, 'mine'))} />
      <AutoMerged title={words.alsoTheirs} fields={namesOf(autoMerged(stale, 'theirs'))} />
      <Row as="footer" gap={2} align="stretch" justify="end" wrap className={css.footer}>
        <Button onClick={onBack}>{words.back}</Button>
        <Button
          variant="primary"
          busy={busy}
          reason={chosen < conflicts.length ? words.choose : undefined}
          onClick={save}
        >
          {busy ? editor.saving : (action ?? editor.saveMerged)}
        </Button>
      </Row>
    </Stack>
  )
}

interface ConflictProps extends Pick<Props, 'revised' | 'stale' | 'names'> {
  path: string
  choice: Chosen | undefined
  onChoose: (side: Chosen) => void
}

function Conflict({ revised, stale, path, names, choice, onChoose }: ConflictProps) {
  const words = useWords(stale)
  const { labelOf } = useChangeText(revised)
  const { field, language: lang } = partsOf(revised, path)
  const base = getPath(stale.base, path)
  return (
    <Sides name={labelOf({ field, language: lang })} columns={3}>
      <SideBefore>
        <span className={css.name}>{words.base}</span>
        <Value value={base} {...{ revised, field, lang, names }} />
      </SideBefore>
      {SIDES.map((side) => (
        <Side key={side}>
          <Row as="span" gap={2} className={css.name}>
            <input type="radio" name={path} checked={choice === side} onChange={() => onChoose(side)} />
            <span aria-hidden>{words[side]}</span>
            <span className="sr-only">{words.named(words[side])}</span>
          </Row>
          <Value value={getPath(stale[side], path)} before={stale.base && base} {...{ revised, field, lang, names }} />
        </Side>
      ))}
    </Sides>
  )
}

function AutoMerged({ title, fields }: { title: string; fields: string[] }) {
  const language = useLanguage()
  const { named } = editorTexts.use().stale
  if (fields.length === 0) return null
  return <p className={css.merged}>{joinSentences(named(title), enumerated(fields, language))}</p>
}
