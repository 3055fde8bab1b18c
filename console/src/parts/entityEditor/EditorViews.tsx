import { EDITOR_VIEWS } from '@mokuroku/contract/preferences'
import { Suspense, useEffect, useEffectEvent, useMemo } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { useUndoKeys } from '#parts/form/useUndoKeys.ts'
import { JsonEditor } from '#parts/jsonEditor/JsonEditor.tsx'
import { searchIds } from '#parts/jsonEditor/searchIds.ts'
import { useEditorLanguages } from '#parts/useLanguages.ts'
import { lazyPart } from '#ui/lazyPart.tsx'
import { Segments } from '#ui/Segments.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { formatShortcut } from '#ui/useShortcut.ts'
import css from './EntityEditor.module.css'
import type { EntityEditorProps } from './props.ts'
import { editorTexts } from './texts.ts'
import type { Editing, Handle } from './useEditing.ts'
import type { Views } from './useViews.ts'

const FormView = lazyPart(() => import('#parts/form/FormView.tsx'), 'FormView')

const NO_FIELDS = { current: null }

interface Props extends Pick<
  EntityEditorProps<never>,
  'title' | 'editor' | 'edited' | 'names' | 'makeByName' | 'refusal'
> {
  editing: Editing
  handle: Handle
  views: Views
}

/** The two views of the edited text, of which one is shown. */
export function EditorViews(props: Props) {
  const { view } = props.views
  return (
    <div className={css.views}>
      <div hidden={view !== 'json'}>
        <Text {...props} />
      </div>
      {view === 'form' && <Form {...props} />}
    </div>
  )
}

export function ViewSwitch({ views: { view, choose } }: { views: Views }) {
  const texts = editorTexts.use()
  const key = formatShortcut('E')
  return (
    <Segments
      name={texts.view}
      hideName
      options={EDITOR_VIEWS.map((value) => ({ value, label: texts.views[value], title: key }))}
      value={view}
      onChange={choose}
    />
  )
}

function Text({ title, editor, names, refusal, editing, handle, views }: Props) {
  const texts = editorTexts.use()
  const language = useLanguage()
  const languages = useEditorLanguages()
  const { schema, links = {}, height = 500 } = editor
  const { stored, isChecked, problems, warnings } = editing
  // The text itself has its own keys: these are for the focus anywhere else.
  useUndoKeys(NO_FIELDS, handle, views.view !== 'json' || isReadOnly(refusal, editing))
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
  views: { form, choose, onForm },
}: Props) {
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
        {...{ editor, names, makeByName, marks, handle }}
        onJson={() => choose('json')}
      />
      <Loaded onLoaded={onForm} />
    </Suspense>
  )
}

/** Calls back once what is lazy beside it has loaded. */
function Loaded({ onLoaded }: { onLoaded: () => void }) {
  const loaded = useEffectEvent(onLoaded)
  useEffect(() => loaded(), [])
  return null
}

const isReadOnly = (refusal: string | undefined, { isSaving, stale }: Editing) =>
  Boolean(refusal) || isSaving || stale !== undefined
