import { ApiError } from '@mokuroku/contract/call'
import { type Settings, settingsApi, SettingsInput } from '@mokuroku/contract/settings'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { toastFailure } from '#api/queryClient.ts'
import { useMe } from '#api/session.ts'
import { joinFaults, sentenceOf } from '#i18n/errors.ts'
import { editorTexts } from '#parts/entityEditor/texts.ts'
import { useKeptState } from '#parts/useKeptState.ts'
import { isOwnConflict, versionConflictOf } from '#lib/versionConflict.ts'
import { toast } from '#ui/toast.ts'
import { texts as area } from './texts.ts'

export type SectionName = 'general' | 'ai' | 'security' | 'retention'
type Value = string | string[]
type Edits = Readonly<Record<string, Value>>

const NUMBERS = new Set([
  'streamsPerUser',
  'dailyTokensPerUser',
  'sessionHours',
  'keepVersionsDays',
  'keepActivitiesDays',
  'keepAuditDays',
])

/** A setting that was changed here, and also by somebody else or in another window. */
export interface Conflict {
  name: string
  theirs: string[]
  mine: string[]
}

/**
 * State of one section's form. Only changed settings are sent, with the version that the edit started from, so that
 * others' changes are kept and conflicts are reported.
 */
export function useSection(section: SectionName, settings: Settings) {
  const client = useQueryClient()
  const [edits, setEdits] = useKeptState<Edits>(`settings ${section}`, {}, withoutSecrets)
  const [base, setBase] = useKeptState(`version of settings ${section}`, settings.version)
  const [faults, setFaults] = useState<ReadonlySet<string>>(new Set())
  const [conflicts, setConflicts] = useState<Conflict[]>([])
  const [isOwn, setOwn] = useState(false)
  const { username } = useMe()
  const running = useRef(false)
  const stored: Record<string, string | number | boolean | string[]> = settings[section]
  const changed = Object.keys(edits).length > 0

  const keep = (next: Settings) => client.setQueryData(q(settingsApi.find).queryKey, next)
  const { mutate, isPending } = useMutation({
    mutationFn: ({ body }: { body: SettingsInput; written: Edits }) => call(settingsApi.update, { body, base }),
    meta: { quiet: true },
    onSuccess: (saved, { written }) => {
      // What was changed while it was being saved stays.
      setEdits((now) => Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== written[name])))
      setBase(saved.version)
      setConflicts([])
      keep(saved)
      toast.success(area.get().saved)
    },
    onError: (error) => refused(error),
    onSettled: () => void (running.current = false),
  })

  function refused(error: Error) {
    const stale = versionConflictOf(error)
    if (stale) {
      setBase(stale.version)
      setOwn(isOwnConflict(stale, username))
      setConflicts(stale.conflicts.flatMap((name) => clash(name, stale.theirs)))
      return
    }
    const { saveFailed, names } = area.get()
    const { errors } = error instanceof ApiError ? error : {}
    if (!errors) return toastFailure(saveFailed, error)
    setFaults(new Set(errors.map(({ path }) => nameIn(path))))
    const { problemOf } = editorTexts.get()
    const lines = errors.map((fault) => problemOf(names[nameIn(fault.path)] ?? fault.path, sentenceOf(fault)))
    toastFailure(saveFailed, error, joinFaults(lines))
  }

  const clash = (name: string, theirs: Readonly<Record<string, unknown>>): Conflict[] => {
    const mine = edits[name]
    return mine === undefined ? [] : [{ name, theirs: listed(theirs[name]), mine: listed(mine) }]
  }

  /** Sets a value; undefined reverts the change. */
  function set(name: string, value: Value | undefined) {
    if (!changed) setBase(settings.version)
    const { [name]: _, ...others } = edits
    // While it is being saved, what is stored is not known yet.
    const isSame = value === undefined || (!running.current && same(value, stored[name]))
    setEdits(isSame ? others : { ...others, [name]: value })
    setFaults(new Set([...faults].filter((each) => each !== name)))
    if (isSame) setConflicts(conflicts.filter((each) => each.name !== name))
  }

  function save() {
    if (running.current || !changed) return
    const body = z.safeParse(SettingsInput, { [section]: Object.fromEntries(Object.entries(edits).map(sent)) })
    if (!body.success) return setFaults(new Set(body.error.issues.map(({ path }) => String(path[1]))))
    running.current = true
    setFaults(new Set())
    mutate({ body: body.data, written: edits })
  }

  const names = area.use().faults
  return {
    text: (name: string): string => listed(edits[name] ?? stored[name])[0] ?? '',
    list: (name: string): string[] => listed(edits[name] ?? stored[name]),
    edited: (name: string): Value | undefined => edits[name],
    fault: (name: string): string | undefined => (faults.has(name) ? names[name] : undefined),
    set,
    save,
    discard: () => {
      setEdits({})
      setFaults(new Set())
      setConflicts([])
    },
    conflicts,
    /** Whether the conflicts are with what the user has saved in another window. */
    isOwn,
    /** Accepts the other value of a setting. */
    take: (name: string) => set(name, undefined),
    changed,
    busy: isPending,
  }
}
export type SectionState = ReturnType<typeof useSection>

const withoutSecrets = ({ apiKey: _, ...edits }: Edits): Edits => edits

/** A value as a list of strings. */
const listed = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .map(String)

const same = (one: unknown, two: unknown): boolean => JSON.stringify(listed(one)) === JSON.stringify(listed(two))

/** Converts input to a number; empty input becomes NaN, which is invalid. */
const sent = ([name, value]: [string, Value]): [string, unknown] =>
  NUMBERS.has(name) ? [name, value === '' ? Number.NaN : Number(value)] : [name, value]

/** The setting's name is the second part of a path: `general.siteName`, `general.languages.0`. */
const nameIn = (path: string): string => path.split('.')[1] ?? path
