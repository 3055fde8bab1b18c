import { merge } from '@mokuroku/contract/merge'
import { type RefObject, useState } from 'react'
import type { Draft } from '#api/drafts.ts'
import { toRequestBody, editable, type Fields, readText, textOf } from '#lib/editorText.ts'
import { secretsIn } from '#lib/secrets.ts'
import type { VersionConflict } from '#lib/versionConflict.ts'
import type { JsonEditorHandle } from '#parts/jsonEditor/JsonEditor.tsx'
import { useSaveWithPending } from '#parts/pendingValues.ts'
import { toast } from '#ui/toast.ts'
import { isCovered, useShortcut } from '#ui/useShortcut.ts'
import type { EntityEditorProps } from './props.ts'
import { useChecks } from './useChecks.ts'
import { type Origin, useDraft } from './useDraft.ts'
import { useEnhancing } from './useEnhancing.tsx'
import { useNewerVersion, useOthers } from './useNewer.ts'
import { useReview } from './useReview.tsx'
import { useSave } from './useSave.ts'
import { editorTexts } from './texts.ts'
import { isStored, useUnanswered } from './useUnanswered.ts'

type Stored = Pick<VersionConflict, 'theirs' | 'version' | 'updatedAt' | 'savedBy'>

const NO_VERSION = 0

export type Handle = RefObject<JsonEditorHandle<Origin> | null>

/** State of the edited text, from its origin until it is saved. */
export function useEditing<Entity>(props: EntityEditorProps<Entity>, handle: Handle) {
  const { edited, editor: spec, refusal } = props
  const { schema, secrets } = spec
  const texts = editorTexts.use()
  const [stored, setStored] = useState((): Origin => ({
    text: textOf(editable(schema, edited.start)),
    version: edited.version,
  }))
  const [{ text, origin }, setNow] = useState({ text: stored.text, origin: stored })
  /** The conflicts to resolve: of a save; with `isTaking`, of a newer version that is being merged, or of a draft. */
  const [stale, setStale] = useState<VersionConflict & { isTaking?: true; draft?: Draft | undefined }>()
  const checks = useChecks({ edited, schema, text, stored: stored.text })
  const draft = useDraft(edited.key, text, origin, secrets)
  const unanswered = useUnanswered()
  const save = useSave({
    ...props,
    attempt: draft.attempt,
    unanswered,
    onSent: draft.keep,
    onDone: draft.forget,
    onStayed: ({ version, ...saved }) => {
      takeStored({ text: textOf(editable(schema, saved)), version })
      draft.resume()
    },
    onStale: setStale,
    onFaults: checks.onFaults,
  })
  /** What was saved is what the next save is based on. */
  function takeStored(saved: Origin) {
    setStored(saved)
    handle.current?.rebase(saved)
    const now = text === saved.text ? undefined : readText(text, schema)
    // The server may store what was typed in another form, such as a date.
    if (now?.state === 'read' && isStored(now.value, JSON.parse(saved.text) as Fields))
      handle.current?.replace(saved.text, saved)
  }
  const newer = useOthers(useNewerVersion(props, origin), unanswered, (arrived) => {
    takeStored(arrived)
    save.confirm()
  })
  const { review, isReviewing, question } = useReview(spec.review)

  const replace = (next: string, from: Origin) => handle.current?.replace(next, from)
  const isBusy = () => isReviewing || save.busy()
  /** Undefined for an invalid text, and during a save, which would lose a change. */
  const readNow = (from: string) => (isBusy() ? undefined : checks.readNow(from))
  const enhancing = useEnhancing({ text, read: readNow, put: (next) => replace(next, origin) })

  const send = (body: Fields, base: number | undefined) =>
    void review(body, edited.id, () => save.send({ body, base, settled: stale !== undefined, runs: enhancing.runs }))
  const saving = useSaveWithPending(() => {
    const now = stale ? undefined : readNow(text)
    if (!now) return
    // A stray shortcut would create an entry that has no name.
    if (stored.version === undefined && text === stored.text) return toast.info(texts.untouched)
    send(toRequestBody(schema, now, JSON.parse(origin.text) as Fields), origin.version)
  })
  const submit = () => {
    if (isBusy() || stale || isCovered()) return
    if (refusal) return toast.info(refusal)
    saving.start()
  }
  /** Replaces the text with the merged one, based on the newer version: one change, which can be undone. */
  const putMerged = (merged: Fields, { theirs, version }: Pick<VersionConflict, 'theirs' | 'version'>) => {
    const from = { text: textOf(theirs), version }
    setStored(from)
    replace(textOf(editable(schema, merged)), from)
  }
  /** Merges changes with what is stored, or asks about conflicts. The changes are those of `found`, if that is a draft. */
  const mergeWith = (current: Stored, from: string, changed: string, found?: Draft) => {
    const [base, mine] = [JSON.parse(from) as Fields, JSON.parse(changed) as Fields]
    const { merged, conflicts } = merge(base, mine, current.theirs)
    if (conflicts.length > 0)
      return setStale({ code: 'stale', base, mine, conflicts, ...current, isTaking: true, draft: found })
    if (found) draft.adopt(found)
    putMerged(merged, current)
  }
  const takeIn = () => {
    if (stale || !newer?.theirs || !readNow(text)) return
    const { theirs, version, updatedAt, savedBy } = newer
    mergeWith({ theirs, version, updatedAt, savedBy }, origin.text, text)
  }
  // While conflicts are being resolved, the shortcut belongs to the conflict screen.
  useShortcut('mod+s', () => (stale ? false : submit()))

  return {
    stored,
    text,
    onChange: (next: string, from: Origin) => setNow({ text: next, origin: from }),
    ...checks,
    isChanged: text !== origin.text,
    isStored: text === stored.text,
    save,
    isSaving: save.isPending || isReviewing,
    isBusy,
    submit,
    /** What saving waits for, after `submit`. */
    waitsFor: saving.waitsFor,
    question,
    enhancing,
    reset: () => {
      checks.onFaults([])
      enhancing.forget()
      replace(stored.text, stored)
    },
    stale,
    /** The version saved since the edit started, which can be merged. */
    newer,
    takeIn,
    /** Applies the resolved conflicts: saves them, or merges the newer version into the text. */
    settle: (merged: Fields) => {
      if (!stale) return
      const all = { ...merged, ...secretsIn(text, secrets) }
      if (!stale.isTaking) return send(toRequestBody(schema, all, stale.theirs), stale.version)
      if (stale.draft) draft.adopt(stale.draft)
      putMerged(all, stale)
      setStale(undefined)
    },
    leaveStale: () => setStale(undefined),
    draft,
    restoreDraft: (found: Draft) => {
      if (isBusy()) return
      if (found.isMerged && readText(found.text, schema).state === 'read') {
        const [theirs, { version = NO_VERSION }] = [JSON.parse(stored.text) as Fields, stored]
        return mergeWith({ theirs, version, updatedAt: String(edited.start.updatedAt) }, found.base, found.text, found)
      }
      draft.adopt(found)
      // Saved with no version of this entity, every difference is a conflict.
      replace(found.text, { text: found.base, version: found.isMerged ? NO_VERSION : found.version })
    },
    discardDraft: (found: Draft) => {
      draft.discard(found)
      toast.undo(texts.draft.discarded, () => draft.offerAgain(found))
    },
  }
}
export type Editing = ReturnType<typeof useEditing>
