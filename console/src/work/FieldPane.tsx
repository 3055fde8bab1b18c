import { findingsIn } from '@mokuroku/contract/findings/checks'
import { Link } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { joinSentences } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { editorOf } from '#lib/areas.ts'
import { editable } from '#lib/editorText.ts'
import { site } from '#lib/site.ts'
import { useFieldNames } from '#parts/fieldNames.ts'
import { texts as findingTexts } from '#parts/findings/texts.ts'
import { entryNames } from '#parts/jsonEditor/entryNames.ts'
import { languageName } from '#parts/titles.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import { TextArea, TextField } from '#ui/Field.tsx'
import { KeyHint } from '#ui/KeyHint.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { onEscape } from '#ui/onEscape.ts'
import { formatShortcut } from '#ui/useShortcut.ts'
import { ChoiceField } from './ChoiceField.tsx'
import { withText } from './deskState.ts'
import type { Desk } from './desk.ts'
import { focusOnArrival } from './focusOnArrival.ts'
import { ImageField, LinksField } from './ImageField.tsx'
import type { Entry } from './queue.ts'
import { PickField } from './PickField.tsx'
import { workTexts } from './texts.ts'
import { altKey, type DeskKeys } from './useDeskKeys.ts'
import css from './Work.module.css'

const ConflictResolver = lazyPart(() => import('#parts/entityEditor/ConflictResolver.tsx'), 'ConflictResolver')

interface Props {
  desk: Desk
  entry: Entry
  acts: DeskKeys
}

/** The one field to fill in, and its actions. */
export function FieldPane({ desk, entry, acts }: Props) {
  const texts = workTexts.use()
  const language = useLanguage()
  const [names] = useState(() => entryNames(language))
  const { reason, stale, isRestored } = entry
  if (stale)
    return (
      <div className={css.conflict}>
        <Suspense>
          <ConflictResolver
            stale={stale}
            names={names}
            revised={{ kind: desk.area.kind, links: desk.area.editor.links }}
            busy={false}
            onSave={(merged) => desk.settle(entry, merged)}
            onBack={() => desk.leaveStale(entry.id)}
          />
        </Suspense>
      </div>
    )
  return (
    // The focus enters it with each entry, and screen readers then read its name: that of the entry.
    <Stack as="section" role="group" aria-labelledby="work-entity" gap={3} className={css.field}>
      {reason && (
        <p className={css.reason} role="alert">
          {joinSentences(texts.notSaved, reason)}
        </p>
      )}
      {isRestored && <Muted as="p">{texts.restored}</Muted>}
      <Fill desk={desk} entry={entry} />
      <Actions desk={desk} entry={entry} acts={acts} />
    </Stack>
  )
}

function Fill({ desk, entry }: Omit<Props, 'acts'>) {
  const texts = workTexts.use()
  const { fill, kind } = desk.task
  if (fill === 'text') return <TextToFill desk={desk} entry={entry} />
  if (fill === 'pick') return <PickField desk={desk} entry={entry} />
  if (fill === 'choice') return <ChoiceField desk={desk} entry={entry} />
  if (fill === 'image') return <ImageField desk={desk} entry={entry} />
  if (fill === 'links') return <LinksField desk={desk} entry={entry} />
  return (
    <p className={css.toMerge}>
      {texts.toMerge}{' '}
      <Link to={editorOf(kind, entry.id)} className={buttonClass()}>
        {texts.edit}
      </Link>
    </p>
  )
}

function TextToFill({ desk, entry }: Omit<Props, 'acts'>) {
  const texts = workTexts.use()
  const locale = useLanguage()
  const { field } = desk.task
  const language = desk.languageIn(entry)
  const value = entry.text ?? desk.storedText(entry)
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => focusOnArrival(box.current), [])
  const name = useFieldNames(desk.task.kind)(field)
  const props = {
    ref: box,
    label: texts.label(name, languageName(language, locale)),
    lang: language,
    value,
    hint: <KeyHint>{texts.keys(formatShortcut('Enter'), altKey('S'))}</KeyHint>,
    onChange: (event: { currentTarget: { value: string } }) => desk.setText(entry.id, event.currentTarget.value),
    'data-work-field': true,
    ...LEAVE,
  }
  return (
    <>
      {field === 'description' ? <TextArea {...props} rows={10} /> : <TextField {...props} autoComplete="off" />}
      <Warnings desk={desk} entry={entry} language={language} value={value} />
    </>
  )
}

/** Escape leaves the field, so that keys without a modifier are shortcuts; Tab leads back to it. */
const LEAVE = onEscape(() => document.querySelector<HTMLElement>('#work-entity')?.focus())

/** The findings in the text as it is typed. */
function Warnings({ desk, entry, language, value }: { desk: Desk; entry: Entry; language: string; value: string }) {
  const { sentences } = findingTexts.use()
  const locale = useLanguage()
  const { languages: wanted, findings: codes } = site.use()
  const found = useMemo(() => {
    if (!entry.entity || value === '') return []
    const document = withText(editable(desk.area.editor.schema, entry.entity), language, desk.task, value)
    return findingsIn(desk.task.kind, document, { wanted, codes }).filter(
      (each) => each.language === language && each.field === desk.task.field,
    )
  }, [desk, entry.entity, language, value, wanted, codes])
  return (
    <div role="status">
      {found.map(({ code }) => (
        <p key={code} className={css.warning}>
          {sentences[code](languageName(language, locale))}
        </p>
      ))}
    </div>
  )
}

function Actions({ desk, entry, acts }: Props) {
  const texts = workTexts.use()
  const { acts: undoable, isUndoing } = desk.use()
  return (
    <Row align="stretch" wrap className={css.actions}>
      {desk.task.fill !== 'merge' && (
        <Button once variant="primary" title={formatShortcut('Enter')} onClick={acts.save}>
          {texts.save}
        </Button>
      )}
      <Button once title={altKey('S')} onClick={acts.skip}>
        {texts.skip}
      </Button>
      <Button
        once
        title={altKey('N')}
        busy={entry.state === 'saving'}
        reason={desk.targetOf(entry) ? undefined : texts.noFinding}
        onClick={acts.dismiss}
      >
        {texts.dismiss}
      </Button>
      <Button
        variant="quiet"
        title={altKey('Z')}
        busy={isUndoing}
        reason={undoable.length > 0 ? undefined : texts.nothingToUndo}
        onClick={acts.undo}
      >
        {texts.undo}
      </Button>
    </Row>
  )
}
