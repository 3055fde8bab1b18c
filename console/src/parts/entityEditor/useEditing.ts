import { merge } from '@mokuroku/contract/merge'
import { type RefObject, useMemo, useState } from 'react'
import { toRequestBody, editable, type Fields, textOf, readText } from '#lib/editorText.ts'
import { secretsIn } from '#lib/secrets.ts'
import type { VersionConflict } from '#lib/versionConflict.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import type { JsonEditorHandle } from '#parts/jsonEditor/JsonEditor.tsx'
import { toast } from '#ui/toast.ts'
import { useShortcut } from '#ui/useShortcut.ts'
import { type Fault, problemsOf } from './check.ts'
import type { EntityEditorProps } from './props.ts'
import { type Origin, useDraft } from './useDraft.ts'
import { useEnhancing } from './useEnhancing.tsx'
import { useNewer } from './useNewer.ts'
import { useReview } from './useReview.tsx'
import { useSave } from './useSave.ts'
import { editorTexts } from './texts.ts'
import { useWarnings } from './useWarnings.ts'

export type Handle = RefObject<JsonEditorHandle<Origin> | null>

/** The text that is edited, from what it began to where it is saved. */
export function useEditing<Entity>(props: EntityEditorProps<Entity>, handle: Handle) {
  const { of, editor: spec, refusal } = props
  const { schema, secrets } = spec
  const texts = editorTexts.use()
  const [stored, setStored] = useState((): Origin => ({
    text: textOf(editable(schema, of.start)),
    version: of.version,
  }))
  const [{ text, origin }, setNow] = useState({ text: stored.text, origin: stored })
  const [faults, setFaults] = useState<Fault[]>([])
  const [stale, setStale] = useState<VersionConflict>()
  /** What is being taken in, while its conflicts are settled. */
  const [taking, setTaking] = useState<Origin>()
  const [tried, setTried] = useState({ times: 0, text: '' })
  const [refused, setRefused] = useState(0)
  const draft = useDraft(of.key, text, origin, secrets)
  const onFaults = (found: Fault[]) => {
    setFaults(found)
    if (found.length > 0) setRefused((times) => times + 1)
  }
  const save = useSave({ ...props, onDone: draft.forget, onStale: setStale, onFaults })
  const newer = useNewer(props, origin)
  const { review, question } = useReview(spec.review)

  const rested = useDebounced(text)
  const checked = tried.text === text ? text : rested
  const read = useMemo(() => readText(checked, schema), [checked, schema])
  const wrong = useMemo(() => problemsOf(checked, read, faults, texts), [checked, read, faults, texts])
  const value = read.state === 'read' ? read.value : undefined
  const warnings = useWarnings({ kind: of.kind, id: of.id, schema, text: checked, value, stored: stored.text })
  // What a new one starts from may still lack something: that is no mistake of the user's.
  const isUntouched = text === stored.text && tried.times === 0

  const replace = (next: string, from: Origin) => handle.current?.replace(next, from)
  /** What a text says by the schema; what is wrong with it is shown where it says nothing. */
  const readNow = (from: string) => {
    const reading = readText(from, schema)
    if (reading.state === 'read') return reading.value
    setTried(({ times }) => ({ times: times + 1, text: from }))
    setRefused((times) => times + 1)
    return undefined
  }
  const enhancing = useEnhancing({ text, read: readNow, put: (next) => replace(next, origin) })

  const send = (body: Fields, base: number | undefined, settled = false) =>
    review(body, of.id, () => save.send({ body, base, settled, runs: enhancing.runs }))
  const submit = () => {
    if (save.busy() || stale || document.querySelector('dialog[open]')) return
    if (refusal) return toast.info(refusal)
    const now = readNow(text)
    if (now) send(toRequestBody(schema, now, JSON.parse(origin.text) as Fields), origin.version)
  }
  /** The text with what others saved, which it is then begun from: one change, that can be undone. */
  const putMerged = (merged: Fields, from: Origin) => {
    setStored(from)
    replace(textOf(editable(schema, merged)), from)
  }
  const takeIn = () => {
    if (save.busy() || stale || !newer?.theirs || !readNow(text)) return
    const { theirs, version, updatedAt, savedBy } = newer
    const [base, mine] = [JSON.parse(origin.text) as Fields, JSON.parse(text) as Fields]
    const from = { text: textOf(theirs), version }
    const { merged, conflicts } = merge(base, mine, theirs)
    if (conflicts.length === 0) return putMerged(merged, from)
    setTaking(from)
    setStale({ code: 'stale', base, mine, theirs, conflicts, version, updatedAt, savedBy })
  }
  const leaveStale = () => {
    setTaking(undefined)
    setStale(undefined)
  }
  // While conflicts are being settled the key is theirs.
  useShortcut('mod+s', () => (stale ? false : submit()))

  return {
    stored,
    text,
    onChange: (next: string, from: Origin) => setNow({ text: next, origin: from }),
    /** What the text says; undefined while it cannot be saved. */
    value,
    /** The heading and the lines of what is wrong with it; they are of the text as it stood when typing rested. */
    problems: isUntouched ? { title: '', problems: [] } : wrong,
    /** Likewise, what the checks of the catalogue find in it. */
    warnings: isUntouched && of.id === undefined ? { title: '', problems: [] } : warnings,
    isChecked: checked === text,
    /** How often saving this text was tried in vain. */
    tried: tried.text === text ? tried.times : 0,
    /** How often saving was refused for what stands in the text, here or by the server. */
    refused,
    isChanged: text !== origin.text,
    isStored: text === stored.text,
    save,
    submit,
    question,
    enhancing,
    reset: () => {
      setFaults([])
      enhancing.forget()
      replace(stored.text, stored)
    },
    stale,
    /** What was saved since the text was begun; it can be taken in. */
    newer,
    takeIn,
    isTaking: taking !== undefined,
    /** Sends what was chosen where both changed the same, or takes it in. */
    settle: (merged: Fields) => {
      const all = { ...merged, ...secretsIn(text, secrets) }
      if (taking) putMerged(all, taking)
      else if (stale) send(toRequestBody(schema, all, stale.theirs), stale.version, true)
      if (taking) leaveStale()
    },
    leaveStale,
    draft,
    restoreDraft: (found: NonNullable<typeof draft.offered>) => {
      draft.adopt(found)
      replace(found.text, { text: found.base, version: found.version })
    },
    discardDraft: (found: NonNullable<typeof draft.offered>) => {
      draft.discard(found)
      toast.undo(texts.draft.discarded, () => draft.offerAgain(found))
    },
  }
}
export type Editing = ReturnType<typeof useEditing>
