import type { Batch, JobState } from '@mokuroku/contract/batches'
import { Link } from '@tanstack/react-router'
import { isEnded, rollbackState } from '#api/batches.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime, shortDate } from '#lib/dates.ts'
import { enumerated } from '#lib/text.ts'
import { useNamesOfTags } from '#parts/filters/useFilterText.ts'
import { useLabels } from '#parts/labels.ts'
import { UserLink } from '#parts/UserLink.tsx'
import { Badge, type Tone } from '#ui/Badge.tsx'
import type { Column } from '#ui/Table.tsx'
import css from './Batches.module.css'
import { batchTexts } from './texts.ts'

const TONES: Record<JobState, Tone> = {
  queued: 'neutral',
  running: 'accent',
  done: 'success',
  failed: 'danger',
  cancelled: 'warning',
}

/** The most tags that are listed by name. */
const MAX_NAMES = 3

export function useBatchColumns(): Column<Batch>[] {
  const { columns } = batchTexts.use()
  const language = useLanguage()
  return [
    { key: 'what', head: columns.what, cell: (batch) => <What batch={batch} /> },
    {
      key: 'by',
      head: columns.by,
      width: '150px',
      spare: 2,
      cell: ({ createdBy }) => <UserLink {...createdBy} />,
    },
    {
      key: 'created',
      head: columns.created,
      width: '120px',
      spare: 1,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={longDateTime(createdAt, language)}>
          {shortDate(createdAt, language)}
        </time>
      ),
    },
    { key: 'state', head: columns.state, width: '190px', cell: (batch) => <State batch={batch} /> },
    { key: 'counts', head: columns.counts, width: '130px', cell: (batch) => <Counts batch={batch} /> },
  ]
}

function What({ batch }: { batch: Batch }) {
  const { kinds } = useMessages()
  const summary = useBatchSummary(batch)
  return (
    <span className={css.what}>
      <Link to="/batches/$id" params={{ id: batch._id }}>
        {summary}
      </Link>
      {batch.kind && <span className={css.hint}>{kinds[batch.kind as keyof typeof kinds]?.name}</span>}
    </span>
  )
}

/** What a batch does, in a few words. */
export function useBatchSummary({ what, kind, change }: Batch): string {
  const texts = batchTexts.use()
  const labels = useLabels()
  const language = useLanguage()
  const {
    set = {},
    addTags = [],
    removeTags = [],
  } = (change ?? {}) as {
    set?: object
    addTags?: string[]
    removeTags?: string[]
  }
  const added = useTags(addTags)
  const removed = useTags(removeTags)
  if (!change || !kind) return texts.rollback
  if (what === 'merge') return texts.merge
  if (what === 'import') return texts.import(typeof change.filename === 'string' ? change.filename : '')
  const known = (labels as Partial<Record<string, { fields: Record<string, string> }>>)[kind]?.fields ?? {}
  const fields = Object.keys(set).map((name) => known[name] ?? name)
  const parts = [
    change.delete === true && texts.delete,
    change.restore === true && texts.restore,
    fields.length > 0 && texts.set(new Intl.ListFormat(language).format(fields)),
    addTags.length > 0 && texts.addTags(addTags.length, added),
    removeTags.length > 0 && texts.removeTags(removeTags.length, removed),
  ]
  return enumerated(
    parts.filter((part) => part !== false),
    language,
  )
}

/** The names of a few tags; undefined until they are known, if one was deleted, and for many. */
function useTags(ids: readonly string[]): string | undefined {
  const language = useLanguage()
  const names = useNamesOfTags(ids.length > MAX_NAMES ? [] : ids)
  const known = names.filter((name) => typeof name === 'string')
  return known.length > 0 && known.length === ids.length ? new Intl.ListFormat(language).format(known) : undefined
}

/** The state of a batch, with a progress bar while it runs. */
export function State({ batch }: { batch: Batch }) {
  const { states, progress, rollbackStates } = batchTexts.use()
  const rollback = rollbackState(batch)
  const { state, done, total } = batch
  return (
    <span className={css.state}>
      <Badge tone={TONES[state]}>{states[state]}</Badge>
      {rollback && <Badge>{rollbackStates[rollback]}</Badge>}
      {!isEnded(batch) && (
        <progress className={css.progress} max={total} value={done} aria-label={progress(done, total)} />
      )}
    </span>
  )
}

export function Counts({ batch }: { batch: Pick<Batch, 'changed' | 'total' | 'refused'> }) {
  const { changed, total, refused } = batch
  const texts = batchTexts.use()
  return (
    <span>
      {changed} / {total}
      {refused > 0 && <span className={css.hint}> · {texts.refused(refused)}</span>}
    </span>
  )
}
