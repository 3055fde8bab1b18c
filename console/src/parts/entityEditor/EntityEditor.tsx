import { Eye, Sparkles } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { HistoryLink } from '#parts/history/HistoryLink.tsx'
import { JsonEditor, type JsonEditorHandle } from '#parts/jsonEditor/JsonEditor.tsx'
import { searchIds } from '#parts/jsonEditor/searchIds.ts'
import { useEditorLanguages } from '#parts/useLanguages.ts'
import { Button } from '#ui/Button.tsx'
import { Confirm } from '#ui/Confirm.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Page } from '#ui/Page.tsx'
import { formatShortcut } from '#ui/useShortcut.ts'
import { DraftOffer } from './DraftOffer.tsx'
import css from './EntityEditor.module.css'
import { LeaveGuard } from './LeaveGuard.tsx'
import { Notice } from './Notice.tsx'
import { Problems } from './Problems.tsx'
import type { EntityEditorProps } from './props.ts'
import { ConflictResolver } from './ConflictResolver.tsx'
import type { Origin } from './useDraft.ts'
import { type Editing, type Handle, useEditing } from './useEditing.ts'
import { editorTexts } from './texts.ts'

/**
 * The JSON editor of one entity, as a page: checks by the contract's schema, saves against the version it began from,
 * keeps drafts, asks before leaving, and settles what somebody else changed meanwhile.
 */
export function EntityEditor<Entity>(props: EntityEditorProps<Entity>) {
  const handle = useRef<JsonEditorHandle<Origin>>(null)
  const editing = useEditing(props, handle)
  const { stale, isChanged, save, question } = editing
  const { title, back, beside, below, names } = props
  return (
    <Page
      title={title}
      back={back}
      actions={
        !stale && (
          <>
            {beside}
            <Actions {...props} editing={editing} />
          </>
        )
      }
    >
      <LeaveGuard unsaved={() => isChanged && !save.done()} />
      {stale && (
        <ConflictResolver
          key={`${stale.version}`}
          {...{ stale, names }}
          busy={save.isPending}
          onSave={editing.settle}
          onBack={editing.leaveStale}
        />
      )}
      <Stack gap={3} className={css.editor} hidden={Boolean(stale)}>
        <Above {...props} editing={editing} />
        <div className={css.beside}>
          <Text {...props} editing={editing} handle={handle} />
          {props.editor.Beside && !props.refusal && <props.editor.Beside id={props.of.id} value={editing.value} />}
        </div>
        <State editing={editing} />
        <Problems id="problems" {...editing.problems} tried={editing.tried} onShow={(at) => handle.current?.show(at)} />
        <Problems id="warnings" {...editing.warnings} warns onShow={(at) => handle.current?.show(at)} />
        {below}
      </Stack>
      {question}
    </Page>
  )
}

type PartProps = Pick<
  EntityEditorProps<never>,
  'title' | 'editor' | 'of' | 'names' | 'refusal' | 'history' | 'hint'
> & { editing: Editing }

function Actions({ editor, refusal, history, editing }: PartProps) {
  const texts = editorTexts.use()
  const { common } = useMessages()
  const [resetting, setResetting] = useState(false)
  const { save, isStored, enhancing, submit, reset } = editing
  return (
    <>
      {history && <HistoryLink to={history} />}
      {'translations' in editor.schema.shape && (
        <Button icon={Sparkles} reason={refusal} onClick={enhancing.begin}>
          {texts.enhance}
        </Button>
      )}
      <Button
        reason={refusal ?? (isStored ? texts.unchanged : undefined)}
        onClick={() => !save.busy() && setResetting(true)}
      >
        {common.reset}
      </Button>
      <Button variant="primary" busy={save.isPending} reason={refusal} onClick={submit}>
        {save.isPending ? texts.saving : texts.save}
      </Button>
      {resetting && (
        <Confirm title={texts.resetTitle} confirm={common.reset} onConfirm={reset} onClose={() => setResetting(false)}>
          <p>{texts.resetQuestion}</p>
        </Confirm>
      )}
    </>
  )
}

/** What stands above the text: that it can only be read, a draft of it, what AI proposes, a hint. */
function Above({ of, refusal, hint, editing }: PartProps) {
  const texts = editorTexts.use()
  const { offered } = editing.draft
  if (refusal) return <Notice icon={Eye} title={texts.readOnly} hint={refusal} />
  return (
    <>
      {offered && (
        <DraftOffer
          key={offered.id}
          draft={offered}
          version={of.version}
          onRestore={() => editing.restoreDraft(offered)}
          onDiscard={() => editing.discardDraft(offered)}
        />
      )}
      {editing.enhancing.panel}
      {hint && (
        <Muted as="p" className={css.hint}>
          {hint}
        </Muted>
      )}
    </>
  )
}

function Text({ title, editor, names, refusal, editing, handle }: PartProps & { handle: Handle }) {
  const texts = editorTexts.use()
  const language = useLanguage()
  const languages = useEditorLanguages()
  const { schema, links = {}, height = 500 } = editor
  const { stored, isChecked, problems, warnings } = editing
  const marks = useMemo(
    () => (isChecked ? [...problems.problems, ...warnings.problems] : []),
    [isChecked, problems.problems, warnings.problems],
  )
  return (
    <JsonEditor
      ref={handle}
      label={texts.label(title)}
      describedBy="problems warnings"
      text={stored.text}
      origin={stored}
      onChange={editing.onChange}
      problems={marks}
      readOnly={Boolean(refusal) || editing.save.isPending}
      openNames={languages}
      search={searchIds(language)}
      phrases={texts.phrases}
      {...{ schema, names, links, height }}
    />
  )
}

/** Whether the text is saved, kept as a draft, or neither; and the keys. */
function State({ editing: { save, draft, isChanged } }: { editing: Editing }) {
  const texts = editorTexts.use()
  const kept = { none: texts.unsaved, kept: texts.draftKept, refused: texts.draftRefused }[draft.kept]
  return (
    <Row as="p" align="stretch" justify="between" wrap className={css.state}>
      <span>{save.isPending ? texts.saving : isChanged ? kept : texts.unchanged}</span>
      <span className={css.keys}>{texts.keys(formatShortcut('S'), formatShortcut('F'))}</span>
    </Row>
  )
}
