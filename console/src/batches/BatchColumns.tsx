import type { Batch, JobState } from '@mokuroku/contract/batches'
import type { BulkChange } from '@mokuroku/contract/bulk'
import { MAX_ENTRIES, searchApi } from '@mokuroku/contract/search'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { q } from '#api/query.ts'
import { isEnded, rollbackState } from '#api/batches.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { enumerated, guessLanguage } from '#lib/text.ts'
import { useLabels } from '#parts/labels.ts'
import { Day } from '#parts/Day.tsx'
import { nameOfHit } from '#parts/titles.ts'
import { UserLink } from '#parts/UserLink.tsx'
import { Badge, type Tone } from '#ui/Badge.tsx'
import type { Column } from '#ui/Table.tsx'
import { Muted, Row, Truncate } from '#ui/layout.tsx'
import css from './Batches.module.css'
import { batchTexts } from './texts.ts'

const TONES: Record<JobState, Tone> = {
  queued: 'neutral',
  running: 'accent',
  done: 'success',
  failed: 'danger',
  cancelled: 'warning',
}

/** The most tags of a batch that are listed by name. */
const MAX_NAMES = 3

export function useBatchColumns(tagNames: TagNames): Column<Batch>[] {
  const { columns } = batchTexts.use()
  return [
    { key: 'what', head: columns.what, cell: (batch) => <What batch={batch} tagNames={tagNames} /> },
    {
      key: 'by',
      head: columns.by,
      width: '9.375rem',
      spare: 2,
      cell: ({ createdBy }) => <UserLink {...createdBy} />,
    },
    {
      key: 'created',
      head: columns.created,
      width: '7.5rem',
      spare: 1,
      cell: ({ createdAt }) => <Day moment={createdAt} />,
    },
    { key: 'state', head: columns.state, width: '11.875rem', cell: (batch) => <State batch={batch} /> },
    { key: 'counts', head: columns.counts, width: '8.125rem', cell: (batch) => <Counts batch={batch} /> },
  ]
}

function What({ batch, tagNames }: { batch: Batch; tagNames: TagNames }) {
  const { kinds } = useMessages()
  const summary = useBatchSummary(batch, tagNames)
  return (
    <span className={css.what}>
      <Link to="/batches/$id" params={{ id: batch._id }}>
        {summary}
      </Link>
      {batch.kind && <Muted>{kinds[batch.kind as keyof typeof kinds]?.name}</Muted>}
      {batch.reason && (
        <Truncate className={css.reason} lang={guessLanguage(batch.reason)}>
          {batch.reason}
        </Truncate>
      )}
    </span>
  )
}

/** What a batch changes, if it does. */
const changeOf = ({ change }: Batch) => (change ?? {}) as Partial<BulkChange> & { filename?: string }

/** The names of tags, by id. */
type TagNames = ReadonlyMap<string, string>

/** The names of the tags that batches add or remove, if they exist. */
export function useTagsOf(batches: readonly Batch[]): TagNames {
  const language = useLanguage()
  const named = batches.flatMap((batch) => {
    const { addTags = [], removeTags = [] } = changeOf(batch)
    return [addTags, removeTags].flatMap((tags) => (tags.length > MAX_NAMES ? [] : tags))
  })
  const ids = [...new Set(named)].toSorted().slice(0, MAX_ENTRIES).join(',')
  const { data } = useQuery({
    ...q(searchApi.entries, { query: { indexName: 'tags', ids } }),
    enabled: ids !== '',
    meta: { quiet: true },
  })
  return new Map(data?.data.map((tag) => [tag._id, nameOfHit(tag, language)?.text ?? '']))
}

/** What a batch does, in a few words. */
export function useBatchSummary(batch: Batch, tagNames: TagNames): string {
  const texts = batchTexts.use()
  const labels = useLabels()
  const language = useLanguage()
  const { what, kind, change } = batch
  const { set = {}, addTags = [], removeTags = [], ...others } = changeOf(batch)
  if (!change || !kind) return texts.rollback
  if (what === 'merge') return texts.merge
  if (what === 'import') return texts.import(others.filename ?? '')
  const known = (labels as Partial<Record<string, { fields: Record<string, string> }>>)[kind]?.fields ?? {}
  const fields = Object.keys(set).map((name) => known[name] ?? name)
  const listed = (words: string[]) => new Intl.ListFormat(language).format(words)
  // Undefined if one of them is not known.
  const named = (ids: readonly string[]) =>
    ids.every((id) => tagNames.get(id)) ? listed(ids.map((id) => tagNames.get(id) ?? '')) : undefined
  // A record, so that the compiler asks for each action.
  const parts: Record<keyof BulkChange, string | false> = {
    delete: others.delete === true && texts.delete,
    restore: others.restore === true && texts.restore,
    set: fields.length > 0 && texts.set(listed(fields)),
    addTags: addTags.length > 0 && texts.addTags(addTags.length, named(addTags)),
    removeTags: removeTags.length > 0 && texts.removeTags(removeTags.length, named(removeTags)),
  }
  return enumerated(
    Object.values(parts).filter((part) => part !== false),
    language,
  )
}

/** The state of a batch, with a progress bar while it runs. */
export function State({ batch }: { batch: Batch }) {
  const { states, progress, rollbackStates } = batchTexts.use()
  const rollback = rollbackState(batch)
  const { state, done, total } = batch
  return (
    <Row as="span" gap={1} align="stretch" wrap>
      <Badge tone={TONES[state]}>{states[state]}</Badge>
      {rollback && <Badge>{rollbackStates[rollback]}</Badge>}
      {!isEnded(batch) && (
        <progress className={css.progress} max={total} value={done} aria-label={progress(done, total)} />
      )}
    </Row>
  )
}

export function Counts({ batch }: { batch: Pick<Batch, 'changed' | 'total' | 'refused'> }) {
  const { changed, total, refused } = batch
  const texts = batchTexts.use()
  const language = useLanguage()
  return (
    <span>
      {count(changed, language)} / {count(total, language)}
      {refused > 0 && <Muted> · {texts.refused(refused)}</Muted>}
    </span>
  )
}
