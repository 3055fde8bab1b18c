import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Draft, draftsOf, draftTime, dropDraft, keepDraft, pruneDrafts } from '#api/drafts.ts'
import { useMe } from '#api/session.ts'
import { AREAS, type Kind } from '#lib/areas.ts'
import { redactSecrets } from '#lib/secrets.ts'
import type { Attempt } from '#parts/area/create.ts'

/** Debounce of storing the draft after the last change; stored at once when the page is hidden. */
const DEBOUNCE_MS = 400

/** The text and version that an edit started from; a new entity has no version. */
export interface Origin {
  text: string
  version: number | undefined
}

/**
 * Stores the text as a draft while it differs from its origin, and offers earlier drafts. Values of the fields
 * `secrets` are never stored.
 */
export function useDraft(entity: string, written: string, origin: Origin, secrets: readonly string[] = []) {
  const text = redactSecrets(written, secrets)
  const { _id: user } = useMe()
  const [id] = useState(() => `${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`)
  const [attempt] = useState((): Attempt => ({ key: id }))
  const [status, setStatus] = useState<'none' | 'stored' | 'refused'>('none')
  const [offered, setOffered] = useState(() => unsavedDrafts(user, entity, origin.text))
  const forgotten = useRef(false)
  const write = useEffectEvent((now: string, { text: base, version }: Origin) => {
    if (forgotten.current) return
    if (now === base) {
      dropDraft(user, entity, id)
      return setStatus('none')
    }
    const { sent } = attempt
    const more = { ...(version !== undefined && { version }), ...(sent && { sent }) }
    const draft = { id, text: now, base, at: draftTime(), ...more }
    setStatus(keepDraft(user, entity, draft) ? 'stored' : 'refused')
  })
  const writeNow = useEffectEvent(() => write(text, origin))
  useEffect(() => {
    const timer = setTimeout(() => write(text, origin), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, origin])
  useEffect(() => {
    const now = () => writeNow()
    addEventListener('pagehide', now)
    document.addEventListener('visibilitychange', now)
    return () => {
      removeEventListener('pagehide', now)
      document.removeEventListener('visibilitychange', now)
      now()
    }
  }, [])
  const close = (draft: Draft) => {
    dropDraft(user, entity, draft.id)
    setOffered((drafts) => drafts.filter((each) => each.id !== draft.id))
  }
  return {
    /** Whether the text is stored as a draft; `refused` if it could not be stored. */
    status,
    offered: offered[0],
    /** Takes over the offered draft as this editor's own. */
    adopt: (draft: Draft) => {
      keepDraft(user, entity, { ...draft, id })
      close(draft)
      Object.assign(attempt, { sent: draft.sent, made: undefined })
    },
    discard: close,
    offerAgain: (draft: Draft) => {
      keepDraft(user, entity, draft)
      setOffered((drafts) => [draft, ...drafts])
    },
    /** The attempts to create a new entity: the call that may have done so is part of the draft. */
    attempt,
    /** Stores the draft now. */
    keep: () => writeNow(),
    /** Deletes the draft because the text was saved. None is stored until `resume`. */
    forget: () => {
      forgotten.current = true
      dropDraft(user, entity, id)
    },
    resume: () => void (forgotten.current = false),
  }
}

/** The key of an entity's drafts; `new` is the id of one that is to be created. */
export const draftsKey = (kind: Kind, id: string): string => `${AREAS[kind].path.slice(1)}/${id}`

/** Moves the drafts of an entity that was merged into another to that one, where its editor offers them. */
export function moveDrafts(user: string, from: string, into: string): void {
  for (const { version: _, ...draft } of draftsOf(user, from))
    if (keepDraft(user, into, { ...draft, isMerged: true })) dropDraft(user, from, draft.id)
}

function unsavedDrafts(user: string, entity: string, stored: string): Draft[] {
  pruneDrafts()
  const drafts = draftsOf(user, entity)
  for (const { id, text } of drafts) if (text === stored) dropDraft(user, entity, id)
  return drafts.filter(({ text }) => text !== stored)
}
