import { MediaQuery, type MediaRow, mediaApi } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Clapperboard, GitCompareArrows, Languages, Plus } from 'lucide-react'
import * as z from 'zod/mini'
import { qList } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { useDeleteMedia } from '#parts/deleteMedia.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { TrashLink } from '#parts/TrashLink.tsx'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Table, TableSkeleton } from '#ui/Table.tsx'
import { useUrlState } from '#ui/useUrlState.ts'
import { useMediaColumns } from './MediaListColumns.tsx'
import { MediaListFilters } from './MediaListFilters.tsx'

/** What the address of the list may hold. */
const ListQuery = z.pick(MediaQuery, { page: true, limit: true, type: true, isOngoing: true, sort: true, search: true })

export function MediaList() {
  const { media: texts } = useMessages()
  const [filters, setFilters, reset] = useUrlState(ListQuery)
  const rows = useQuery(qList(mediaApi.list, { query: filters }))
  const { ask, question } = useDeleteMedia()
  const columns = useMediaColumns({ sort: filters.sort, onSort: (sort) => setFilters({ sort }), onDelete: ask })
  const { page, limit, type, isOngoing, search } = filters
  const isFiltered = Boolean(type || search || isOngoing !== undefined)
  const empty = <Empty page={page} isFiltered={isFiltered} reset={reset} toFirst={() => setFilters({ page: 1 })} />

  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <TrashLink kind="Media" />
          <Actions />
        </>
      }
    >
      <Card flush>
        <MediaListFilters applied={filters} onApply={setFilters} onReset={reset} />
        <Loaded
          query={rows}
          loading={texts.loading}
          failed={texts.failed}
          skeleton={<TableSkeleton columns={columns} rows={limit} />}
        >
          {(media) => (
            <Table<MediaRow>
              label={texts.title}
              columns={columns}
              rows={media}
              rowKey={({ _id }) => _id}
              empty={empty}
            />
          )}
        </Loaded>
        <Pager page={page} hasNext={rows.data?.length === limit} onPage={(next) => setFilters({ page: next })} />
      </Card>
      {question}
    </Page>
  )
}

function Actions() {
  const { media: texts } = useMessages()
  return (
    <>
      <Link to="/media/compare" className={buttonClass()}>
        <GitCompareArrows size={16} aria-hidden />
        {texts.compare}
      </Link>
      <Link to="/media/standardize" className={buttonClass()}>
        <Languages size={16} aria-hidden />
        {texts.standardize}
      </Link>
      <AddMedia />
    </>
  )
}

function AddMedia() {
  const { media: texts } = useMessages()
  const reason = useRefusal()('create', 'Media')
  if (reason) {
    return (
      <Button variant="primary" icon={Plus} reason={reason}>
        {texts.add}
      </Button>
    )
  }
  return (
    <Link to="/media/new" className={buttonClass({ variant: 'primary' })}>
      <Plus size={16} aria-hidden />
      {texts.add}
    </Link>
  )
}

interface EmptyProps {
  page: number
  isFiltered: boolean
  reset: () => void
  toFirst: () => void
}

function Empty({ page, isFiltered, reset, toFirst }: EmptyProps) {
  const { media: texts, common } = useMessages()
  const isLate = page > 1
  const hint = isLate ? texts.emptyPage : isFiltered ? texts.emptyFiltered : texts.emptyCatalogue
  return (
    <EmptyState icon={Clapperboard} title={texts.empty} hint={hint}>
      {isLate && <Button onClick={toFirst}>{texts.firstPage}</Button>}
      {isFiltered && <Button onClick={reset}>{common.reset}</Button>}
      {!isLate && !isFiltered && <AddMedia />}
    </EmptyState>
  )
}
