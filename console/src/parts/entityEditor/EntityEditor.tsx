import { isTranslated } from '@mokuroku/contract/kinds'
import { Eye, Sparkles } from 'lucide-react'
import { EDITOR_VIEWS, type EditorView } from '@mokuroku/contract/preferences'
import { type RefObject, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { takeOpenedByKey } from '#parts/openedByKey.ts'
import { focusedPlace } from '#parts/form/focus.ts'
import type { FormHandle } from '#parts/form/FormView.tsx'
import { useUndoKeys } from '#parts/form/useUndoKeys.ts'
import { HistoryLink } from '#parts/history/HistoryLink.tsx'
import { JsonEditor, type JsonEditorHandle } from '#parts/jsonEditor/JsonEditor.tsx'
import { placeAt, spanAt } from '#parts/jsonEditor/place.ts'
import { searchIds } from '#parts/jsonEditor/searchIds.ts'
import { PermissionsLink } from '#parts/PermissionsLink.tsx'
import { useEditorLanguages } from '#parts/useLanguages.ts'
import { Button } from '#ui/Button.tsx'
import { Confirm } from '#ui/Confirm.tsx'
import { KeyHint } from '#ui/KeyHint.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Page } from '#ui/Page.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { StickyBar } from '#ui/StickyBar.tsx'
import { useFieldNames } from '#parts/fieldNames.ts'
import { lazyPart } from '#ui/lazyPart.tsx'
import { formatShortcut, useShortcut } from '#ui/useShortcut.ts'
import { DraftOffer } from './DraftOffer.tsx'
import css from './EntityEditor.module.css'
import { LeaveGuard } from './LeaveGuard.tsx'
import { NewerBar } from './NewerBar.tsx'
import { Notice } from './Notice.tsx'
import { OthersHere } from './OthersHere.tsx'
import { type Problem, Problems } from './Problems.tsx'
import type { EntityEditorProps } from './props.ts'
import { ConflictResolver } from './ConflictResolver.tsx'
import type { Origin } from './useDraft.ts'
import { type Editing, type Handle, useEditing } from './useEditing.ts'
import { editorTexts } from './texts.ts'
import { useView } from './useView.ts'

const LikelyDuplicates = lazyPart(() => import('#parts/merging/LikelyDuplicates.tsx'), 'LikelyDuplicates')

const FormView = lazyPart(() => import('#parts/form/FormView.tsx'), 'FormView')

const NO_FIELDS = { current: null }

const isReadOnly = (refusal: string | undefined, { isSaving, stale }: Editing) =>
  Boolean(refusal) || isSaving || stale !== undefined

/**
 * Editor page of one entity, with two views of one text: JSON, and a form generated from the schema. Validates against
 * the contract's schema, saves against the version that the edit started from, keeps drafts, asks before leaving, and
 * resolves conflicts with concurrent changes.
 */
export function EntityEditor<Entity>(props: EntityEditorProps<Entity>) {
  const handle = useRef<JsonEditorHandle<Origin>>(null)
  const editing = useEditing(props, handle)
  const { stale, isChanged, save, question } = editing
  const isSettling = stale !== undefined
  // The conflict screen replaces the page, so start at its top.
  useEffect(() => {
    if (isSettling) window.scrollTo(0, 0)
  }, [isSettling])
  const form = useRef<FormHandle>(null)
  const { view, show, onForm } = useViews(handle, form, editing)
  const showProblem = (problem: Problem) =>
    view === 'form' ? form.current?.show(problem.place) : handle.current?.show(problem)
  const { title, head, back, beside, below, names } = props
  // A form is longer than the window.
  const hasBar = view === 'form' && !props.refusal
  const texts = editorTexts.use()
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
      {stale && (
        <ConflictResolver
          {...{ stale, names }}
          revised={{ kind: props.edited.kind, links: props.editor.links }}
          action={stale.isTaking && texts.takeMerged}
          busy={save.isPending}
          onSave={editing.settle}
          onBack={editing.leaveStale}
        />
      )}
      <Stack gap={3} className={css.editor} hidden={Boolean(stale)}>
        <Above {...props} editing={editing} />
        <Row wrap gap={3} justify="between" className={css.top}>
          {head}
          <Switch view={view} onView={show} />
        </Row>
        {/* Above the views: below a form, it would be out of sight. */}
        {isTranslated(props.edited.kind) && props.edited.id === undefined && !props.refusal && (
          <Suspense>
            <LikelyDuplicates kind={props.edited.kind} value={editing.value} />
          </Suspense>
        )}
        <div className={css.beside}>
          <div className={css.views}>
            <div hidden={view !== 'json'}>
              <Text {...props} editing={editing} handle={handle} isShown={view === 'json'} />
            </div>
            {view === 'form' && (
              <Form
                {...props}
                editing={editing}
                handle={handle}
                form={form}
                onReady={onForm}
                onJson={() => show('json')}
              />
            )}
          </div>
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

type PartProps = Pick<
  EntityEditorProps<never>,
  'title' | 'editor' | 'edited' | 'names' | 'makeByName' | 'refusal' | 'history' | 'hint'
> & { editing: Editing }

function Actions({ editor, refusal, history, editing, hasSave }: PartProps & { hasSave: boolean }) {
  const texts = editorTexts.use()
  const { common } = useMessages()
  const [resetting, setResetting] = useState(false)
  const { isBusy, isStored, enhancing, reset } = editing
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

function Text({
  title,
  editor,
  names,
  refusal,
  editing,
  handle,
  isShown,
}: PartProps & { handle: Handle; isShown: boolean }) {
  const texts = editorTexts.use()
  const language = useLanguage()
  const languages = useEditorLanguages()
  const { schema, links = {}, height = 500 } = editor
  const { stored, isChecked, problems, warnings } = editing
  // The text itself has its own keys: these are for the focus anywhere else.
  useUndoKeys(NO_FIELDS, handle, !isShown || isReadOnly(refusal, editing))
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
      readOnly={Boolean(refusal) || editing.isSaving}
      openNames={languages}
      search={searchIds(language)}
      phrases={texts.phrases}
      {...{ schema, names, links, height }}
    />
  )
}

/** The form. It edits the JSON editor's text, and shares its undo history. */
function Form({
  title,
  editor,
  edited,
  names,
  makeByName,
  refusal,
  editing,
  handle,
  form,
  onReady,
  onJson,
}: PartProps & { handle: Handle; form: RefObject<FormHandle | null>; onReady: () => void; onJson: () => void }) {
  const texts = editorTexts.use()
  const { problems, warnings } = editing
  const marks = useMemo(() => [...problems.problems, ...warnings.problems], [problems.problems, warnings.problems])
  return (
    <Suspense fallback={<Skeleton height={500} />}>
      <FormView
        ref={form}
        label={texts.formLabel(title)}
        kind={edited.kind}
        text={editing.text}
        refused={editing.refused}
        isReadOnly={isReadOnly(refusal, editing)}
        {...{ editor, names, makeByName, marks, handle, onJson }}
      />
      <Loaded onLoaded={onReady} />
    </Suspense>
  )
}

/** Calls back once what is lazy beside it has loaded. */
function Loaded({ onLoaded }: { onLoaded: () => void }) {
  const loaded = useEffectEvent(onLoaded)
  useEffect(() => loaded(), [])
  return null
}

function Switch({ view, onView }: { view: EditorView; onView: (view: EditorView) => void }) {
  const texts = editorTexts.use()
  const key = formatShortcut('E')
  return (
    <Segments
      name={texts.view}
      hideName
      options={EDITOR_VIEWS.map((value) => ({ value, label: texts.views[value], title: key }))}
      value={view}
      onChange={onView}
    />
  )
}

/** The current view; switching shows the same place of the document in the other view. */
function useViews(handle: Handle, form: RefObject<FormHandle | null>, { text }: Editing) {
  const { view, choose } = useView()
  /** The place to show once the form, whose code is loaded when it is first shown, has rendered. */
  const placeInForm = useRef<ReturnType<typeof placeAt>>(undefined)
  const toggle = () => {
    if (view === 'form') {
      const place = focusedPlace()
      // After the JSON has rendered.
      setTimeout(() => handle.current?.show(spanAt(text, place)))
    }
    placeInForm.current = view === 'json' ? placeAt(text, handle.current?.position() ?? 0) : undefined
    choose(view === 'form' ? 'json' : 'form')
  }
  useShortcut('mod+e', toggle)
  const focus = () => {
    const from = handle.current?.position() ?? 0
    return view === 'form' ? form.current?.show([]) : handle.current?.show({ from, to: from })
  }
  useShortcut('e', focus)
  /** Called once a view can be focused. Waits until the shell has focused the start of the screen. */
  const focusIfByKey = () => {
    if (takeOpenedByKey()) setTimeout(focus)
  }
  const onForm = () => {
    const place = placeInForm.current
    placeInForm.current = undefined
    if (place) form.current?.show(place)
    else focusIfByKey()
  }
  const onShown = useEffectEvent(() => view === 'json' && focusIfByKey())
  useEffect(() => void onShown(), [])
  return { view, show: choose, onForm }
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
