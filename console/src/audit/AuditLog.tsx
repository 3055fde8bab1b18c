import { auditApi, type AuditRow } from '@mokuroku/contract/audit'
import { useQuery } from '@tanstack/react-query'
import { Lock, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { qList } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LoadedTable } from '#ui/LoadedTable.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { useUrlState } from '#ui/useUrlState.ts'
import { useAuditColumns } from './AuditColumns.tsx'
import { AuditDetails } from './AuditDetails.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { type AuditFilterState, ListQuery } from './applied.ts'
import { Chain } from './Chain.tsx'
import { Export } from './Export.tsx'
import { texts as area } from './texts.ts'

const LIMIT = 25

/** The audit log; administrators only. */
export function AuditLog() {
  const texts = area.use()
  const { errors } = useMessages()
  const isAdmin = useMe().role === 'admin'
  if (isAdmin) return <Log />
  return (
    <Page title={texts.title} subtitle={texts.subtitle}>
      <Card>
        <EmptyState alert icon={Lock} title={errors[403]} hint={texts.adminOnly} />
      </Card>
    </Page>
  )
}

function Log() {
  const texts = area.use()
  const [applied, apply, reset] = useUrlState(ListQuery)
  const [shown, show] = useState<AuditRow>()
  const found = useQuery({
    ...qList(auditApi.list, { query: { ...applied, limit: LIMIT } }),
    // Nearly every action adds to the log.
    staleTime: 0,
    meta: { quiet: true },
  })
  const columns = useAuditColumns(show)
  // A changed filter starts again at the newest entry.
  const filter = (patch: Partial<AuditFilterState>, how?: { replace?: boolean }) =>
    apply({ before: undefined, after: undefined, ...patch }, how)
  const { before: _before, after: _after, ...filters } = applied
  const { data: rows = [], older = null, newer = null } = found.data ?? {}
  // The first page, or a later one: which one is unknown.
  const place = newer === null ? 1 : 2
  return (
    <Page title={texts.title} subtitle={texts.subtitle} actions={<Export filters={filters} />}>
      <Chain />
      <Card flush>
        <AuditFilters applied={applied} rows={rows} onApply={filter} onReset={reset} />
        <LeftOut schema={ListQuery} />
        <LoadedTable
          query={found}
          rowsOf={({ data }) => data}
          texts={texts}
          expected={LIMIT}
          label={texts.title}
          columns={columns}
          rowKey={({ _id }) => _id}
          empty={
            <Nothing {...{ older, reset }} onOlder={() => apply({ before: older ?? undefined, after: undefined })} />
          }
        />
        {(older !== null || newer !== null) && (
          <Pager
            page={place}
            hasNext={older !== null}
            onPage={(to) =>
              apply(
                to(place) === 1 ? { after: newer ?? 0, before: undefined } : { before: older ?? 0, after: undefined },
              )
            }
          >
            <Range rows={rows} />
          </Pager>
        )}
      </Card>
      {shown && (
        <AuditDetails
          row={shown}
          onClose={() => show(undefined)}
          onOnly={(only) => {
            show(undefined)
            filter(only)
          }}
        />
      )}
    </Page>
  )
}

function Range({ rows }: { rows: AuditRow[] }) {
  const texts = area.use()
  const language = useLanguage()
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return texts.empty
  return texts.entries(count(first.seq, language), count(last.seq, language))
}

interface NothingProps {
  older: number | null
  reset: () => void
  onOlder: () => void
}

/** Empty state. The server stops a long search early and returns where (`older`): matches may be further back. */
function Nothing({ older, reset, onOlder }: NothingProps) {
  const texts = area.use()
  const { common } = useMessages()
  return (
    <EmptyState icon={ScrollText} title={texts.empty} hint={older === null ? texts.emptyFiltered : texts.emptySoFar}>
      {older !== null && <Button onClick={onOlder}>{texts.searchOlder}</Button>}
      <Button onClick={reset}>{common.reset}</Button>
    </EmptyState>
  )
}
