import { isTranslated } from '@mokuroku/contract/kinds'
import { Eye, Sparkles } from 'lucide-react'
import type { EditorView } from '@mokuroku/contract/preferences'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { HistoryLink } from '#parts/history/HistoryLink.tsx'
import type { JsonEditorHandle } from '#parts/jsonEditor/JsonEditor.tsx'
import { PermissionsLink } from '#parts/PermissionsLink.tsx'
import { Button } from '#ui/Button.tsx'
import { Confirm } from '#ui/Confirm.tsx'
import { KeyHint } from '#ui/KeyHint.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Page } from '#ui/Page.tsx'
import { StickyBar } from '#ui/StickyBar.tsx'
import { useFieldNames } from '#parts/fieldNames.ts'
import { lazyPart } from '#ui/lazyPart.tsx'
import { formatShortcut } from '#ui/useShortcut.ts'
import { DraftOffer } from './DraftOffer.tsx'
import { EditorViews, ViewSwitch } from './EditorViews.tsx'
import css from './EntityEditor.module.css'
import { LeaveGuard } from './LeaveGuard.tsx'
import { NewerBar } from './NewerBar.tsx'
import { Notice } from './Notice.tsx'
import { OthersHere } from './OthersHere.tsx'
import { Problems } from './Problems.tsx'
import type { EntityEditorProps } from './props.ts'
import { ConflictResolver } from './ConflictResolver.tsx'
import type { Origin } from './useDraft.ts'
import { type Editing, useEditing } from './useEditing.ts'
import { editorTexts } from './texts.ts'
import { useViews } from './useViews.ts'

const LikelyDuplicates = lazyPart(() => import('#parts/merging/LikelyDuplicates.tsx'), 'LikelyDuplicates')

/**
 * Editor page of one entity, with two views of one text: JSON, and a form generated from the schema. Validates against
 * the contract's schema, saves against the version that the edit started from, keeps drafts, asks before leaving, and
 * resolves conflicts with concurrent changes.
 */
export function EntityEditor<Entity>(props: EntityEditorProps<Entity>) {
  const handle = useRef<JsonEditorHandle<Origin>>(null)
  const editing = useEditing(props, handle)
  const { stale, isChanged, save, question } = editing
  const views = useViews(handle, editing.text)
  const { view, showProblem } = views
  const { title, head, back, beside, below } = props
  // A form is longer than the window.
  const hasBar = view === 'form' && !props.refusal
  const nameOf = useFieldNames(props.edited.kind)
  return (
    <Page
      title={title}
      back={back}
      actions={
        <>
          <OthersHere {...props} />
          {!stale && (
            <>
              {beside}
              <Actions {...props} editing={editing} hasSave={!hasBar} />
            </>
          )}
        </>
      }
    >
      <LeaveGuard unsaved={() => isChanged && !save.done()} />
      {stale && <Conflicts {...props} editing={editing} stale={stale} />}
      <Stack gap={3} className={css.editor} hidden={Boolean(stale)}>
        <Above {...props} editing={editing} />
        <Row wrap gap={3} justify="between" className={css.top}>
          {head}
          <ViewSwitch views={views} />
        </Row>
        {/* Above the views: below a form, it would be out of sight. */}
        {isTranslated(props.edited.kind) && editing.stored.version === undefined && !props.refusal && (
          <Suspense>
            <LikelyDuplicates kind={props.edited.kind} value={editing.value} />
          </Suspense>
        )}
        <div className={css.beside}>
          <EditorViews {...props} {...{ editing, handle, views }} />
          {props.editor.Beside && !props.refusal && <props.editor.Beside id={props.edited.id} value={editing.value} />}
        </div>
        {hasBar ? (
          <StickyBar>
            <Row gap={3} justify="between" className={css.bar}>
              <State editing={editing} view={view} />
              <Save editing={editing} />
            </Row>
          </StickyBar>
        ) : (
          <State editing={editing} view={view} />
        )}
        <Problems id="problems" {...editing.problems} tried={editing.tried} onShow={showProblem} />
        <Problems
          id="warnings"
          {...editing.warnings}
          nameOf={view === 'form' ? nameOf : undefined}
          warns
          onShow={showProblem}
        />
        {below}
      </Stack>
      {question}
    </Page>
  )
}

type PartProps = Pick<EntityEditorProps<never>, 'editor' | 'edited' | 'names' | 'refusal' | 'history' | 'hint'> & {
  editing: Editing
}

/** Replaces the page while conflicts are resolved. */
function Conflicts({ edited, editor, names, editing, stale }: PartProps & { stale: NonNullable<Editing['stale']> }) {
  const texts = editorTexts.use()
  // As on a page of its own. In newer browsers, this returns a promise, which is no cleanup.
  useEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  return (
    <ConflictResolver
      {...{ stale, names }}
      revised={{ kind: edited.kind, links: editor.links }}
      action={stale.isTaking && texts.takeMerged}
      busy={editing.save.isPending}
      onSave={editing.settle}
      onBack={editing.leaveStale}
    />
  )
}

function Actions({ editor, edited, refusal, history, editing, hasSave }: PartProps & { hasSave: boolean }) {
  const texts = editorTexts.use()
  const { common } = useMessages()
  const [resetting, setResetting] = useState(false)
  const { isBusy, isStored, enhancing, reset } = editing
  return (
    <>
      {history && <HistoryLink kind={edited.kind} to={history} />}
      {'translations' in editor.schema.shape && (
        <Button icon={Sparkles} reason={refusal} onClick={enhancing.begin}>
          {texts.enhance}
        </Button>
      )}
      <Button
        reason={refusal ?? (isStored ? texts.unchanged : undefined)}
        onClick={() => !isBusy() && setResetting(true)}
      >
        {common.reset}
      </Button>
      {hasSave && <Save editing={editing} refusal={refusal} />}
      {resetting && (
        <Confirm title={texts.resetTitle} confirm={common.reset} onConfirm={reset} onClose={() => setResetting(false)}>
          <p>{texts.resetQuestion}</p>
        </Confirm>
      )}
    </>
  )
}

function Save({ editing, refusal }: Pick<PartProps, 'editing'> & { refusal?: string | undefined }) {
  const texts = editorTexts.use()
  const { isSaving, waitsFor, submit } = editing
  return (
    <Button variant="primary" busy={isSaving || waitsFor !== undefined} reason={refusal} onClick={submit}>
      {waitsFor ? texts.waiting[waitsFor] : isSaving ? texts.saving : texts.save}
    </Button>
  )
}

/** Everything above the text: read-only notice, newer versions, a draft, AI proposals, a hint. */
function Above({ editor, edited, refusal, hint, editing }: PartProps) {
  const texts = editorTexts.use()
  const { offered } = editing.draft
  if (refusal)
    return (
      <Notice icon={Eye} title={texts.readOnly} hint={refusal}>
        <PermissionsLink />
      </Notice>
    )
  return (
    <>
      <NewerBar newer={editing.newer} revised={{ kind: edited.kind, links: editor.links }} onTakeIn={editing.takeIn} />
      {offered && (
        <DraftOffer
          key={offered.id}
          draft={offered}
          version={edited.version}
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

/** Whether the text is saved, kept as a draft, or neither; and the keyboard shortcuts. */
function State({ editing: { isSaving, draft, isChanged }, view }: { editing: Editing; view: EditorView }) {
  const texts = editorTexts.use()
  const unsaved = { none: texts.unsaved, stored: texts.draftKept, refused: texts.draftRefused }[draft.status]
  return (
    <Row as="p" align="stretch" justify="between" wrap className={css.state}>
      <span>{isSaving ? texts.saving : isChanged ? unsaved : texts.unchanged}</span>
      <KeyHint>
        {view === 'json'
          ? texts.keys(formatShortcut('S'), formatShortcut('F'))
          : texts.formKeys(formatShortcut('S'), formatShortcut('Z'), formatShortcut('E'))}
      </KeyHint>
    </Row>
  )
}
