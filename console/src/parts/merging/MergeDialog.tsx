import { ApiError } from '@mokuroku/contract/call'
import type { Translated } from '@mokuroku/contract/kinds'
import { type Document, getPath, isBlank } from '@mokuroku/contract/merge'
import { type MergedAnswer, type MergeSide, merging } from '@mokuroku/contract/merges'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { call } from '#api/call.ts'
import { toastFailure } from '#api/queryClient.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longMoment } from '#lib/dates.ts'
import { isForbidden, isNotFound, isUncertain } from '#lib/errorStatus.ts'
import type { Area, Stored } from '#parts/area/area.ts'
import { findToEdit } from '#parts/area/calls.ts'
import { Cover } from '#parts/Cover.tsx'
import { capital, useLabels, type Words } from '#parts/labels.ts'
import { languageName } from '#parts/titles.ts'
import { useKeptState } from '#parts/useKeptState.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FailedLine } from '#ui/FailedLine.tsx'
import { FormButtons } from '#ui/FormButtons.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { Side, Sides } from '#ui/Sides.tsx'
import { MatchFacts } from './MatchFacts.tsx'
import css from './MergeDialog.module.css'
import { differing, documentOf, sideOf } from './sides.ts'
import { mergeTexts } from './texts.ts'
import { useDistinctions } from './useDistinctions.ts'

interface Props {
  area: Area
  /** The two entries; the first one survives unless the user chooses otherwise. */
  ids: readonly [string, string]
  onClose: () => void
  /** Called with the id of the batch that merged them, and with the ids of the surviving and of the other entry. */
  onMerged: (batch: string, into: string, from: string) => void
}

/** Merges two entries: the user chooses which one survives and, where they differ, whose value. */
export function MergeDialog(props: Props) {
  const { area, onClose } = props
  const texts = mergeTexts.use()
  const form = useId()
  const { entities, survivor, from, pick, setPick, stay, submit, isMerging, ...state } = useMerging(props)
  const distinctions = useDistinctions(area, entities)
  return (
    <Dialog
      title={texts.title}
      wide
      onClose={onClose}
      footer={
        <FormButtons
          onCancel={onClose}
          form={form}
          variant="primary"
          reason={state.isGone ? texts.gone : survivor && from ? undefined : texts.loading}
          busy={isMerging}
        >
          {texts.merge}
        </FormButtons>
      }
    >
      <Stack as="form" id={form} noValidate gap={4} onSubmit={submit}>
        <Problem {...state} isLoading={entities.length === 0} />
        {survivor && from && (
          <>
            <Sides columns={2} name={texts.stays}>
              {entities.map((entity, at) => (
                <Option
                  key={entity._id}
                  group="survivor"
                  isChosen={entity === survivor}
                  onChoose={() => stay(entity._id)}
                  autofocus
                >
                  <MatchFacts kind={area.kind as Translated} entity={entity} />
                  <Muted small>{distinctions[at]}</Muted>
                </Option>
              ))}
            </Sides>
            <p className={css.hint}>
              {texts.hint} {texts.undo}
            </p>
            <Differences
              area={area}
              survivor={survivor}
              from={from}
              pick={pick}
              onPick={(path, side) => setPick({ ...pick, [path]: side })}
            />
          </>
        )}
      </Stack>
    </Dialog>
  )
}

/** Both entries, the choices between them, and what is in the way of merging them. */
function useMerging({ area, ids, onClose, onMerged }: Props) {
  const [one, other] = ids
  const name = ids.join(' ')
  const [survivorId, setSurvivorId] = useKeptState(`survivor of ${name}`, one)
  const [pick, setPick] = useKeptState<Record<string, MergeSide>>(`merge ${name}`, {})
  const [isUnsure, setUnsure] = useState(false)
  const first = useQuery(findToEdit(area, one))
  const second = useQuery(findToEdit(area, other))
  const load = () => Promise.all([first.refetch(), second.refetch()])
  const merge = useMutation({
    mutationFn: ({ survivor, from }: { survivor: Stored; from: Stored }) =>
      call(merging(area.kind as Translated), {
        id: survivor._id,
        body: { from: { _id: from._id, version: from.version }, pick },
        base: survivor.version,
      }).catch((error: unknown) => {
        if (!isUnsure) throw error
        return mergedBefore(error, survivor._id, from._id)
      }),
    meta: { quiet: true },
    onSuccess: ({ batch }, { survivor: into, from }) => onMerged(batch, into._id, from._id),
    onError: (error) => {
      setUnsure(isUncertain(error))
      if (isStale(error)) void load()
      // Without the permission, the screen no longer offers to merge, and this dialog goes with it.
      if (!isForbidden(error)) return
      toastFailure(mergeTexts.get().failedTitle, error)
      onClose()
    },
  })
  const error = first.error ?? second.error ?? merge.error
  // A merged entry redirects to another one, which the user has not chosen.
  const isOther = (first.data && first.data._id !== one) || (second.data && second.data._id !== other)
  const isGone = isOther || isNotFound(error) || isMergedAway(error)
  const entities = first.data && second.data && !isGone ? [first.data, second.data] : []
  const survivor = entities.find(({ _id }) => _id === survivorId)
  const from = entities.find(({ _id }) => _id !== survivorId)
  return {
    entities,
    survivor,
    from,
    pick,
    setPick,
    stay: (id: string) => {
      setSurvivorId(id)
      setPick({})
    },
    submit: (event: FormEvent) => {
      event.preventDefault()
      if (survivor && from && !merge.isPending) merge.mutate({ survivor, from })
    },
    isMerging: merge.isPending,
    isGone,
    error,
    isRefused: merge.error !== null,
    isBusy: first.isFetching || second.isFetching || merge.isPending,
    // What is unknown is asked by merging again; after a refusal, the entries may differ from those on screen.
    retry: () => {
      if (isUncertain(merge.error) && merge.variables) return merge.mutate(merge.variables)
      merge.reset()
      return load()
    },
  }
}

interface ProblemProps extends Pick<
  ReturnType<typeof useMerging>,
  'isGone' | 'error' | 'isRefused' | 'isBusy' | 'retry'
> {
  isLoading: boolean
}

/** Why the entries cannot be merged, or cannot be merged yet. */
function Problem({ isGone, error, isRefused, isBusy, retry, isLoading }: ProblemProps) {
  const texts = mergeTexts.use()
  if (isGone) return <p role="alert">{texts.gone}</p>
  if (isStale(error)) return <p role="alert">{texts.changed}</p>
  if (error) {
    const what = isRefused ? texts.failed : texts.loadFailed
    return <FailedLine what={what} failure={error} query={{ isFetching: isBusy, refetch: retry }} />
  }
  return isLoading ? <p role="status">{texts.loading}</p> : undefined
}

/** The batch of a merge whose response was lost: the server refuses to repeat it, and says which batch it was. */
function mergedBefore(error: unknown, into: string, from: string): { batch: string } {
  if (!(error instanceof ApiError) || error.code !== 'merged') throw error
  const merged = error.body as MergedAnswer
  if (merged.into !== into || merged.from !== from) throw error
  return merged
}

/** Whether one of the two entries has been changed since it was loaded. */
const isStale = (error: unknown) => error instanceof ApiError && error.code === 'stale'

/** Whether one of the two entries has been merged into another one. */
const isMergedAway = (error: unknown) => error instanceof ApiError && error.code === 'merged'

interface DifferencesProps {
  area: Area
  survivor: Stored
  from: Stored
  pick: Readonly<Record<string, MergeSide>>
  onPick: (path: string, side: MergeSide) => void
}

/** The differences, each with both values to choose from. */
function Differences({ area, survivor, from, pick, onPick }: DifferencesProps) {
  const texts = mergeTexts.use()
  const language = useLanguage()
  const words = useLabels()[area.kind as keyof ReturnType<typeof useLabels>] as Words
  const { schema } = area.editor
  const sides: Record<MergeSide, { document: Document; entity: Stored }> = {
    survivor: { document: documentOf(schema, survivor), entity: survivor },
    from: { document: documentOf(schema, from), entity: from },
  }
  const paths = differing(sides.survivor.document, sides.from.document)
  if (paths.length === 0) return <Muted as="p">{texts.same}</Muted>
  return (
    <Stack as="section" gap={3} aria-label={texts.differ}>
      {paths.map((path) => (
        <Sides columns={2} key={path} name={labelOf(path, words, language)}>
          {(['survivor', 'from'] as const).map((side) => (
            <Option
              key={side}
              group={path}
              isChosen={(pick[path] ?? sideOf(sides.survivor.document, path)) === side}
              onChoose={() => onPick(path, side)}
            >
              <Value path={path} words={words} {...sides[side]} />
            </Option>
          ))}
        </Sides>
      ))}
    </Stack>
  )
}

function labelOf(path: string, { fields }: Words, locale: string): string {
  const [field = '', language, text = ''] = path.split('.')
  if (language === undefined) return capital(fields[field] ?? field)
  return `${capital(fields[text] ?? text)} · ${languageName(language, locale)}`
}

/** A formatted value: names of enum values, formatted dates, images. */
function Value({ path, document, entity, words }: { path: string; document: Document; entity: Stored; words: Words }) {
  const texts = mergeTexts.use()
  const locale = useLanguage()
  const value = getPath(document, path)
  const { values = {}, flags = {} } = words
  if (isBlank(value)) return <Muted>{texts.empty}</Muted>
  if (path === 'cover' && 'cover' in entity)
    return <Cover cover={entity.cover as never} entity={entity} size="row" says />
  if (typeof value === 'boolean') return flags[path]?.[value ? 1 : 0] ?? String(value)
  if (typeof value !== 'string') return JSON.stringify(value)
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return longMoment(value, locale)
  const [, language] = path.split('.')
  return <span lang={language}>{values[path]?.[value] ?? value}</span>
}

interface OptionProps {
  group: string
  isChosen: boolean
  onChoose: () => void
  /** Focused when the dialog has loaded, if it is chosen. */
  autofocus?: boolean
  children: ReactNode
}

function Option({ group, isChosen, onChoose, autofocus, children }: OptionProps) {
  return (
    <Side>
      <Row as="span" gap={3} align="start">
        <input
          type="radio"
          name={group}
          checked={isChosen}
          onChange={onChoose}
          data-autofocus={(autofocus && isChosen) || undefined}
        />
        <span className={css.value}>{children}</span>
      </Row>
    </Side>
  )
}
