import {
  IMPORT_TYPES,
  importsApi,
  type ImportType,
  type ListedImport,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_ROWS,
} from '@mokuroku/contract/imports'
import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Eye, FileUp } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { rollbackState } from '#api/batches.ts'
import { isUnderWay, sendImport } from '#api/imports.ts'
import { qList } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { isKind } from '#lib/areas.ts'
import { shortDate } from '#lib/dates.ts'
import { count, fileSize } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { Day } from '#parts/Day.tsx'
import { Notice } from '#parts/entityEditor/Notice.tsx'
import { PermissionsLink } from '#parts/PermissionsLink.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { bulkTexts } from '#parts/selection/texts.ts'
import { useStoredState } from '#parts/useStoredState.ts'
import { UserLink } from '#parts/UserLink.tsx'
import { NotRefreshed } from '#parts/NotRefreshed.tsx'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DropZone } from '#ui/DropZone.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { SelectField, TextArea } from '#ui/Field.tsx'
import { Muted, Row, Stack } from '#ui/layout.tsx'
import { LoadedTable } from '#ui/LoadedTable.tsx'
import { Page } from '#ui/Page.tsx'
import type { Column } from '#ui/Table.tsx'
import { toast } from '#ui/toast.ts'
import { useIsMounted } from '#ui/useIsMounted.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import css from './Import.module.css'
import { StateBadge } from './StateBadge.tsx'
import { importTexts } from './texts.ts'

const ACCEPTED = '.csv,.tsv,.txt,.xlsx,.ndjson,.jsonl'
/** Polling interval of a list with unfinished imports, in milliseconds. */
const REFRESH_MS = 2000

const Query = z.object({ kind: z.optional(z.enum(IMPORT_TYPES)) })

/** Uploads files to import, and lists recent imports. */
export function Imports() {
  const texts = importTexts.use()
  return (
    <Page title={texts.title} subtitle={texts.subtitle}>
      <Uploading />
      <Recent />
    </Page>
  )
}

function Uploading() {
  const texts = importTexts.use()
  const language = useLanguage()
  const nameOf = useTypeNames()
  const [{ kind: named }, setState] = useUrlState(Query)
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const refusal = useRefusal()
  const me = useMe()
  const [cells, setCells] = useStoredState('pasted cells', '')
  const [sent, setSent] = useState(0)
  const reasonOf = (type: ImportType): string | undefined => {
    const refusals =
      type === 'Translation'
        ? TRANSLATED_KINDS.map((each) => refusal('edit', each, me._id))
        : [refusal('create', type), refusal('edit', type, me._id)]
    return refusals.every(Boolean) ? refusals[0] : undefined
  }
  // The first one that the user may write.
  const kind = named ?? IMPORT_TYPES.find((type) => !reasonOf(type)) ?? 'Media'
  const reason = reasonOf(kind)
  const uploading = useMutation({
    mutationFn: ({ file }: { file: File; isPasted: boolean }) =>
      sendImport(file, kind, {
        signal: new AbortController().signal,
        onProgress: (bytes) => setSent(bytes / file.size),
      }),
    meta: { failure: texts.sendFailed },
    onSuccess: ({ _id }, { isPasted }) => {
      if (isPasted) setCells('')
      if (isMounted()) void navigate({ to: '/import/$id', params: { id: _id } })
    },
  })
  const send = (file: File | undefined, isPasted = false) => {
    if (reason) toast.info(reason)
    if (!file || uploading.isPending || reason) return
    setSent(0)
    uploading.mutate({ file, isPasted })
  }
  return (
    <Card>
      <Stack gap={4}>
        <SelectField
          label={texts.kind}
          className={css.kind}
          value={kind}
          options={IMPORT_TYPES.map((value) => ({ value, label: nameOf(value) }))}
          onChange={(value) => setState({ kind: value as ImportType })}
        />
        {kind === 'Translation' && <Muted small>{texts.translationsHint}</Muted>}
        {reason && (
          <Notice icon={Eye} title={reason}>
            <PermissionsLink />
          </Notice>
        )}
        <DropZone
          accept={ACCEPTED}
          label={texts.choose}
          hint={texts.hint(fileSize(MAX_IMPORT_BYTES), count(MAX_IMPORT_ROWS, language))}
          onFiles={([file, ...others]) => (others.length > 0 ? toast.info(texts.oneFile) : send(file))}
        />
        {uploading.isPending && <progress className={css.progress} max={1} value={sent} aria-label={texts.uploading} />}
        <TextArea
          label={texts.paste}
          hint={texts.pasteHint}
          value={cells}
          rows={3}
          spellCheck={false}
          onChange={(event) => setCells(event.currentTarget.value)}
        />
        <div>
          <Button
            busy={uploading.isPending}
            reason={reason ?? (cells.trim() === '' ? texts.pasteFirst : undefined)}
            onClick={() => send(new File([cells], texts.pasted, { type: 'text/tab-separated-values' }), true)}
          >
            {texts.check}
          </Button>
        </div>
      </Stack>
    </Card>
  )
}

function Recent() {
  const texts = importTexts.use()
  const columns = useColumns()
  const found = useQuery({
    ...qList(importsApi.list, { query: {} }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.data.some(isChanging) === true ? REFRESH_MS : false),
    meta: { quiet: true },
  })
  return (
    <Card title={texts.recent} flush>
      <NotRefreshed query={found} />
      <LoadedTable
        query={found}
        rowsOf={({ data }) => data}
        texts={texts}
        expected={3}
        label={texts.recent}
        columns={columns}
        rowKey={({ _id }) => _id}
        empty={<EmptyState icon={FileUp} title={texts.empty} hint={texts.emptyHint} />}
      />
    </Card>
  )
}

function useColumns(): Column<ListedImport>[] {
  const { columns } = importTexts.use()
  const language = useLanguage()
  const { role } = useMe()
  const by: Column<ListedImport> = {
    key: 'by',
    head: columns.by,
    width: '9.375rem',
    spare: 2,
    cell: ({ createdBy }) => <UserLink {...createdBy} />,
  }
  return [
    { key: 'file', head: columns.file, cell: (row) => <FileName row={row} /> },
    ...(role === 'admin' ? [by] : []),
    {
      key: 'created',
      head: columns.created,
      width: '7.5rem',
      spare: 1,
      cell: ({ createdAt }) => <Day moment={createdAt} />,
    },
    { key: 'rows', head: columns.rows, width: '6.25rem', align: 'right', cell: ({ total }) => count(total, language) },
    { key: 'state', head: columns.state, width: '9.375rem', cell: (row) => <State row={row} /> },
  ]
}

/** Returns a function that names what the rows of a file are. */
function useTypeNames(): (type: ImportType) => string {
  const { kinds } = useMessages()
  const { translations } = importTexts.use()
  return (type) => (type === 'Translation' ? translations : isKind(type) ? kinds[type].list : type)
}

/** Whether its state is about to change. */
const isChanging = (row: ListedImport): boolean => isUnderWay(row) || rollbackState(row) === 'running'

/** The state of an import, and whether it was undone, by whom and when. */
function State({ row }: { row: ListedImport }) {
  const { rollbacks } = importTexts.use()
  const { undoneBy } = bulkTexts.use()
  const language = useLanguage()
  const { state, rollback } = row
  const undo = rollbackState(row)
  return (
    <Row gap={1} wrap>
      <StateBadge state={state} />
      {undo && <Badge>{rollbacks[undo]}</Badge>}
      {rollback && (
        <Muted small>{undoneBy(rollback.createdBy.username, shortDate(rollback.createdAt, language))}</Muted>
      )}
    </Row>
  )
}

function FileName({ row: { _id, filename, entityType } }: { row: ListedImport }) {
  const texts = importTexts.use()
  const nameOf = useTypeNames()
  return (
    <Stack className={css.name}>
      <Link to="/import/$id" params={{ id: _id }} lang={guessLanguage(filename)}>
        {filename || texts.untitled}
      </Link>
      <Muted small>{nameOf(entityType)}</Muted>
    </Stack>
  )
}
