import { Eye, Sparkles } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { toRequestBody, editable, type Fields, textOf, readText } from '#lib/editorText.ts'
import { secretsIn } from '#lib/secrets.ts'
import type { VersionConflict } from '#lib/versionConflict.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { HistoryLink } from '#parts/history/HistoryLink.tsx'
import { JsonEditor, type JsonEditorHandle } from '#parts/jsonEditor/JsonEditor.tsx'
import type { Links, Names } from '#parts/jsonEditor/idNames.ts'
import { searchIds } from '#parts/jsonEditor/searchIds.ts'
import { useEditorLanguages } from '#parts/useLanguages.ts'
import { Button } from '#ui/Button.tsx'
import { Confirm } from '#ui/Confirm.tsx'
import { Page } from '#ui/Page.tsx'
import { toast } from '#ui/toast.ts'
import { useShortcut, formatShortcut } from '#ui/useShortcut.ts'
import { type Fault, problemsOf } from './check.ts'
import { DraftOffer } from './DraftOffer.tsx'
import css from './EntityEditor.module.css'
import { LeaveGuard } from './LeaveGuard.tsx'
import { Notice } from './Notice.tsx'
import { Problems } from './Problems.tsx'
import { ConflictResolver } from './ConflictResolver.tsx'
import { type Origin, useDraft } from './useDraft.ts'
import { useEnhancing } from './useEnhancing.tsx'
import { type Saving, useSave } from './useSave.ts'

export interface EntityEditorProps<Entity> extends Saving<Entity> {
  title: string
  back: { to: string; label: string }
  /** What the drafts belong to: `media/new`, `media/0198…`. */
  entity: string
  schema: z.ZodMiniObject
  /** What stands on the server, or what a new one starts from. Read once. */
  start: Fields
  /** The version that stands on the server; none for a new one. */
  version?: number | undefined
  /** Which fields hold ids, and the titles of those ids. */
  links?: Links
  names: Names
  /** Why it may not be changed. */
  refusal?: string | undefined
  /** Where its history is, when no screen but this one leads there. */
  history?: string
  /** In pixels. */
  height?: number
  /** Fields that no draft may hold: a password. */
  secrets?: readonly string[]
  /** A line above the text, for who may change it. */
  hint?: string
  /** What stands beside the text and speaks of what it says; undefined while the text cannot be saved. */
  renderBeside?: (value: Fields | undefined) => ReactNode
  /** Asked before the body is sent: calls `go` when it may be, at once or after a question of its own. */
  before?: (body: Fields, go: () => void) => void
}

/**
 * The JSON editor of one entity, as a page: checks by the contract's schema, saves against the version it began from,
 * keeps drafts, asks before leaving, and settles what somebody else changed meanwhile.
 */
export function EntityEditor<Entity>(props: EntityEditorProps<Entity>) {
  const {
    title,
    back,
    entity,
    schema,
    start,
    version,
    links = {},
    names,
    refusal,
    history,
    height = 500,
    secrets,
    hint,
    renderBeside,
    before,
  } = props
  const { editor: texts, common } = useMessages()
  const language = useLanguage()
  const [stored] = useState((): Origin => ({ text: textOf(editable(schema, start)), version }))
  const [{ text, origin }, setNow] = useState({ text: stored.text, origin: stored })
  const [faults, setFaults] = useState<Fault[]>([])
  const [stale, setStale] = useState<VersionConflict>()
  const [tried, setTried] = useState({ times: 0, text: '' })
  const [resetting, setResetting] = useState(false)
  const languages = useEditorLanguages()
  const editor = useRef<JsonEditorHandle<Origin>>(null)
  const draft = useDraft(entity, text, origin, secrets)
  const save = useSave({ ...props, onDone: draft.forget, onStale: setStale, onFaults: setFaults })
  const rested = useDebounced(text)
  const checked = tried.text === text ? text : rested
  const read = useMemo(() => readText(checked, schema), [checked, schema])
  const wrongs = useMemo(() => problemsOf(checked, read, faults, texts), [checked, read, faults, texts])
  const changed = text !== origin.text
  // What a new one starts from may still lack something: that is no mistake of the user's.
  const untouched = text === stored.text && tried.times === 0
  const { title: wrong, problems } = untouched ? { title: '', problems: [] } : wrongs

  const enhancing = useEnhancing({
    text,
    read: (from) => {
      const reading = readText(from, schema)
      if (reading.state === 'read') return reading.value
      setTried(({ times }) => ({ times: times + 1, text: from }))
      return undefined
    },
    put: (next) => editor.current?.replace(next, origin),
  })

  const send = (body: Fields, base: number | undefined, settled = false) => {
    const go = () => save.send({ body, base, settled, runs: enhancing.runs })
    if (before) before(body, go)
    else go()
  }
  const submit = () => {
    if (save.busy() || stale || document.querySelector('dialog[open]')) return
    if (refusal) return toast.info(refusal)
    const reading = readText(text, schema)
    if (reading.state === 'read')
      send(toRequestBody(schema, reading.value, JSON.parse(origin.text) as Fields), origin.version)
    else setTried(({ times }) => ({ times: times + 1, text }))
  }
  // While conflicts are being settled the key is theirs.
  useShortcut('mod+s', () => (stale ? false : submit()))

  return (
    <Page
      title={title}
      back={back}
      actions={
        !stale && (
          <>
            {history && <HistoryLink to={history} />}
            {'translations' in schema.shape && (
              <Button icon={Sparkles} reason={refusal} onClick={enhancing.begin}>
                {texts.enhance}
              </Button>
            )}
            <Button
              reason={refusal ?? (text === stored.text ? texts.unchanged : undefined)}
              onClick={() => !save.busy() && setResetting(true)}
            >
              {common.reset}
            </Button>
            <Button variant="primary" busy={save.isPending} reason={refusal} onClick={submit}>
              {save.isPending ? texts.saving : texts.save}
            </Button>
          </>
        )
      }
    >
      <LeaveGuard unsaved={() => changed && !save.done()} />
      {stale && (
        <ConflictResolver
          key={`${stale.version}`}
          {...{ stale, names }}
          busy={save.isPending}
          onSave={(merged) =>
            send(toRequestBody(schema, { ...merged, ...secretsIn(text, secrets) }, stale.theirs), stale.version, true)
          }
          onBack={() => setStale(undefined)}
        />
      )}
      <div className={css.editor} hidden={Boolean(stale)}>
        {refusal && <Notice icon={Eye} title={texts.readOnly} hint={refusal} />}
        {draft.offered && !refusal && (
          <DraftOffer
            key={draft.offered.id}
            draft={draft.offered}
            version={version}
            onRestore={() => draft.offered && restore(draft.offered)}
            onDiscard={() => draft.offered && discard(draft.offered)}
          />
        )}
        {enhancing.panel}
        {hint && !refusal && <p className={css.hint}>{hint}</p>}
        <div className={css.beside}>
          <JsonEditor
            ref={editor}
            label={texts.label(title)}
            describedBy="problems"
            text={stored.text}
            origin={stored}
            onChange={(next, from) => setNow({ text: next, origin: from })}
            problems={checked === text ? problems : []}
            readOnly={Boolean(refusal) || save.isPending}
            openNames={languages}
            search={searchIds(language)}
            phrases={texts.phrases}
            {...{ schema, names, links, height }}
          />
          {renderBeside?.(read.state === 'read' ? read.value : undefined)}
        </div>
        <p className={css.state}>
          <span>{save.isPending ? texts.saving : stateOf()}</span>
          <span className={css.keys}>{texts.keys(formatShortcut('S'), formatShortcut('F'))}</span>
        </p>
        <Problems
          id="problems"
          title={wrong}
          problems={problems}
          tried={tried.text === text ? tried.times : 0}
          onShow={(at) => editor.current?.show(at)}
        />
      </div>
      {resetting && (
        <Confirm title={texts.resetTitle} confirm={common.reset} onConfirm={reset} onClose={() => setResetting(false)}>
          <p>{texts.resetQuestion}</p>
        </Confirm>
      )}
    </Page>
  )

  function stateOf() {
    if (!changed) return texts.unchanged
    return { none: texts.unsaved, kept: texts.draftKept, refused: texts.draftRefused }[draft.kept]
  }

  function reset() {
    setFaults([])
    enhancing.forget()
    editor.current?.replace(stored.text, stored)
  }

  function restore(found: NonNullable<typeof draft.offered>) {
    draft.adopt(found)
    editor.current?.replace(found.text, { text: found.base, version: found.version })
  }

  function discard(found: NonNullable<typeof draft.offered>) {
    draft.discard(found)
    toast.undo(texts.draft.discarded, () => draft.offerAgain(found))
  }
}
