import {
  type Import,
  IMPORT_OUTCOMES,
  type ImportOutcome,
  ImportQuery,
  type ImportRow,
  importsApi,
} from '@mokuroku/contract/imports'
import { useIsFetching, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, FileUp } from 'lucide-react'
import { type ComponentProps, useEffect, useEffectEvent } from 'react'
import { download } from '#api/download.ts'
import { localized } from '#i18n/errors.ts'
import { isUnderWay } from '#api/imports.ts'
import { qList } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { isKind, screenOf } from '#lib/areas.ts'
import { count } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { WordDiff } from '#parts/WordDiff.tsx'
import { NotRefreshed } from '#parts/NotRefreshed.tsx'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { LoadedTable } from '#ui/LoadedTable.tsx'
import { RangePager } from '#parts/RangePager.tsx'
import type { Column } from '#ui/Table.tsx'
import { useShown } from '#ui/useFailure.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { useFieldNames } from '#parts/fieldNames.ts'
import { type Corrections, FaultyCells } from './Corrections.tsx'
import css from './Import.module.css'
import { isTitlePath } from './rows.ts'
import { importTexts } from './texts.ts'

const TONES: Record<ImportOutcome, Tone> = {
  new: 'success',
  changed: 'accent',
  unchanged: 'neutral',
  refused: 'danger',
  duplicates: 'warning',
}
/** Polling interval while rows are being checked, in milliseconds. */
const REFRESH_MS = 3000

/** The planned or actual result of each row: of all rows, or of those with one outcome. */
export function ImportRows({ one, corrections }: { one: Import; corrections: Corrections }) {
  const texts = importTexts.use()
  const [{ outcome, page, limit }, setState, , turn] = useUrlState(ImportQuery)
  const found = useQuery({
    ...qList(importsApi.find, { id: one._id, query: { outcome, page, limit } }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (isUnderWay(one) || (data && isUnderWay(data)) ? REFRESH_MS : false),
    meta: { quiet: true },
  })
  const columns = useColumns(one, corrections)
  // Also the details of the import are fetched after a write, and their state may be the old one for a moment.
  const isFetching = useIsFetching({ queryKey: [importsApi.find.path] }) > 0
  const isChecked = !isFetching && found.isSuccess && !isUnderWay(one) && !isUnderWay(found.data)
  const goOn = useEffectEvent(corrections.goOn)
  useEffect(() => {
    if (isChecked) goOn()
  }, [isChecked])
  const loaded = useShown(found)
  const total = loaded?.pagination.total
  const shown = loaded?.rows.length ?? 0
  return (
    <Card title={texts.rows} flush>
      <Outcomes one={one} outcome={outcome} onOutcome={(next) => setState({ outcome: next })} />
      <LeftOut schema={ImportQuery} />
      <NotRefreshed query={found} />
      <LoadedTable
        query={found}
        rowsOf={({ rows }) => rows}
        texts={texts}
        expected={5}
        label={texts.rows}
        columns={columns}
        rowKey={({ row }) => String(row)}
        empty={<EmptyState icon={FileUp} title={texts.noRows} />}
      />
      <RangePager page={page} limit={limit} shown={shown} total={total} onPage={turn} />
    </Card>
  )
}

interface OutcomesProps {
  one: Import
  outcome: ImportOutcome | undefined
  onOutcome: (outcome: ImportOutcome | undefined) => void
}

/** The outcomes with their row counts, as a filter; and a download of the refused rows. */
function Outcomes({ one, outcome, onOutcome }: OutcomesProps) {
  const texts = importTexts.use()
  const language = useLanguage()
  const exporting = useMutation({
    mutationFn: () => download(importsApi.refused, { id: one._id }),
    meta: { failure: texts.downloadFailed },
  })
  const choices = [undefined, ...IMPORT_OUTCOMES] as const
  return (
    <Row gap={2} wrap justify="between" className={css.outcomes}>
      <Row gap={1} wrap role="group" aria-label={texts.outcome}>
        {choices.map((each) => (
          <Button
            key={each ?? 'all'}
            size="small"
            variant={each === outcome ? 'default' : 'quiet'}
            aria-pressed={each === outcome}
            onClick={() => onOutcome(each)}
          >
            {each ? texts.outcomes[each] : texts.all}
            <span className={css.number}>{count(each ? one.counts[each] : one.total, language)}</span>
          </Button>
        ))}
      </Row>
      {one.counts.refused > 0 && (
        <Button size="small" icon={Download} busy={exporting.isPending} onClick={() => exporting.mutate()}>
          {texts.download}
        </Button>
      )}
    </Row>
  )
}

/** On a card, which has no heading above it, with the word. */
function RowNumber({ row }: { row: string }) {
  const texts = importTexts.use()
  return (
    <Muted>
      <span className={css.inTable}>{row}</span>
      <span className={css.onCard}>{texts.rowNumber(row)}</span>
    </Muted>
  )
}

function useColumns(one: Import, corrections: Corrections): Column<ImportRow>[] {
  const texts = importTexts.use()
  const language = useLanguage()
  const nameOf = useFieldNames(one.entityType)
  return [
    { key: 'row', head: texts.row, width: '4.5rem', cell: ({ row }) => <RowNumber row={count(row, language)} /> },
    { key: 'entry', head: texts.entry, width: '20%', cell: (row) => <Entry one={one} row={row} /> },
    {
      key: 'outcome',
      head: texts.outcome,
      width: '8.125rem',
      cell: ({ outcome }) => (outcome ? <Badge tone={TONES[outcome]}>{texts.outcomes[outcome]}</Badge> : texts.waiting),
    },
    { key: 'what', head: texts.what, isWide: true, cell: (row) => <What {...{ one, row, nameOf, corrections }} /> },
  ]
}

interface RowProps {
  one: Import
  row: ImportRow
}

/** The title of a row: that of its entry, if there is one, or else from its title column. */
function Entry({ one: { entityType, mapping }, row: { _id, kind, match, outcome, cells } }: RowProps) {
  const texts = importTexts.use()
  const isTitle = (path: string | null) => path !== null && isTitlePath(entityType, path)
  const own = Object.entries(mapping).find(([header, path]) => isTitle(path) && cells[header])
  const text = (own && cells[own[0]]) ?? match ?? ''
  if (_id === null || kind === null || outcome === 'duplicates' || !isKind(kind))
    return <span lang={guessLanguage(text)}>{text || texts.untitled}</span>
  const title = match ?? text
  return (
    <Link to={screenOf(kind, _id)} lang={guessLanguage(title)}>
      {title || texts.untitled}
    </Link>
  )
}

function What({ one, row, nameOf, corrections }: ComponentProps<typeof FaultyCells>) {
  const texts = importTexts.use()
  const language = useLanguage()
  const { outcome, reason, errors, changes, _id, kind, match, matchRow } = row
  if (errors.length > 0) return <FaultyCells {...{ one, row, nameOf, corrections }} />
  if (reason !== null) return <span className={css.reason}>{localized(reason)}</span>
  if (outcome === 'duplicates')
    return matchRow === null ? (
      <span>
        {texts.like}{' '}
        {_id !== null && kind !== null && isKind(kind) && (
          <Link to={screenOf(kind, _id)} lang={guessLanguage(match ?? '')}>
            {match ?? _id}
          </Link>
        )}
      </span>
    ) : (
      texts.likeRow(count(matchRow, language))
    )
  if (changes.length > 0)
    return (
      <Stack gap={2}>
        {changes.map(({ path, from, to }) => (
          <div key={path}>
            <Muted small>{nameOf(path)}</Muted>
            <WordDiff before={from} after={to} lang={languageOf(path)} short />
          </div>
        ))}
      </Stack>
    )
  return outcome === 'new' ? <Cells one={one} row={row} nameOf={nameOf} /> : null
}

/** The values of a new entry, field by field. */
function Cells({ one: { mapping }, row: { cells }, nameOf }: RowProps & { nameOf: (path: string) => string }) {
  const given = Object.entries(mapping).flatMap(([header, path]) =>
    path && cells[header] ? [[path, cells[header]] as const] : [],
  )
  return (
    <dl className={css.cells}>
      {given.map(([path, text]) => (
        <div key={path}>
          <dt>{nameOf(path)}</dt>
          <dd lang={languageOf(path)} className="line-clamp" title={text}>
            {text}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const languageOf = (path: string): string | undefined =>
  path.startsWith('translations.') ? path.split('.')[1] : undefined
