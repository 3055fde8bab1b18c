import {
  type Batch,
  BATCH_OUTCOMES,
  batchesApi,
  type BatchOutcome,
  type BatchResult,
  BatchResultQuery,
} from '@mokuroku/contract/batches'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Layers } from 'lucide-react'
import { localized } from '#i18n/errors.ts'
import { qList } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { isKind, type Kind, screenOf } from '#lib/areas.ts'
import { enumerated } from '#lib/text.ts'
import { useChangeText } from '#parts/history/changeText.ts'
import { nameOfEntity } from '#parts/titles.ts'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Filters } from '#ui/Filters.tsx'
import { LoadedTable } from '#ui/LoadedTable.tsx'
import { RangePager } from '#parts/RangePager.tsx'
import type { Column } from '#ui/Table.tsx'
import { useShown } from '#ui/useFailure.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { Muted } from '#ui/layout.tsx'
import css from './Batches.module.css'
import { batchTexts } from './texts.ts'

const TONES: Record<BatchOutcome, Tone> = { changed: 'success', unchanged: 'neutral', refused: 'warning' }

/** The results of a batch's items. */
export function BatchResults({ batch }: { batch: Batch }) {
  const texts = batchTexts.use()
  const [{ outcome, page, limit }, setState, reset, turn] = useUrlState(BatchResultQuery)
  const found = useQuery(qList(batchesApi.results, { id: batch._id, query: { outcome, page, limit } }))
  const columns = useColumns()
  const loaded = useShown(found)
  const total = loaded?.pagination.total
  const shown = loaded?.data.length ?? 0
  return (
    <Card title={texts.results} flush>
      <Filters
        label={texts.outcome}
        fields={{
          outcome: {
            label: texts.outcome,
            all: texts.allOutcomes,
            options: BATCH_OUTCOMES.map((value) => ({ value, label: texts.outcomes[value] })),
          },
        }}
        applied={{ outcome }}
        onApply={setState}
        onReset={reset}
      />
      <LeftOut schema={BatchResultQuery} />
      <LoadedTable
        query={found}
        rowsOf={({ data }) => data}
        texts={texts}
        expected={5}
        label={texts.results}
        columns={columns}
        rowKey={({ _id }) => _id}
        empty={<EmptyState icon={Layers} title={texts.noResults} />}
      />
      <RangePager page={page} limit={limit} shown={shown} total={total} onPage={turn} />
    </Card>
  )
}

function useColumns(): Column<BatchResult>[] {
  const texts = batchTexts.use()
  const { kinds } = useMessages()
  return [
    { key: 'item', head: texts.item, cell: (row) => <Item row={row} /> },
    {
      key: 'type',
      head: texts.type,
      width: '8.125rem',
      spare: 1,
      cell: ({ kind }) => isKind(kind) && kinds[kind].name,
    },
    {
      key: 'outcome',
      head: texts.outcome,
      width: '8.125rem',
      cell: ({ outcome }) => (outcome ? <Badge tone={TONES[outcome]}>{texts.outcomes[outcome]}</Badge> : texts.waiting),
    },
    {
      key: 'why',
      head: texts.why,
      width: '36%',
      cell: ({ kind, message, kept }) =>
        (message || kept.length > 0) && (
          <span className={css.what}>
            {message && localized(message)}
            {kept.length > 0 && isKind(kind) && <Kept kind={kind} paths={kept} />}
          </span>
        ),
    },
  ]
}

function Kept({ kind, paths }: { kind: Kind; paths: readonly string[] }) {
  const { kept } = batchTexts.use()
  const language = useLanguage()
  const { namesOf } = useChangeText({ kind })
  return <Muted>{kept(enumerated(namesOf(paths), language))}</Muted>
}

function Item({ row: { kind, _id, title, translations } }: { row: BatchResult }) {
  const { gone, untitled } = batchTexts.use()
  const language = useLanguage()
  if (title === null || !isKind(kind)) return <Muted>{title ?? gone}</Muted>
  const { text, lang } = nameOfEntity({ title, translations }, language) ?? { text: untitled, lang: undefined }
  return (
    <Link to={screenOf(kind, _id)} lang={lang}>
      {text}
    </Link>
  )
}
