import type { Rating } from '@mokuroku/contract/ratings'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { useDeleteRating } from '#parts/rating/deleteRating.tsx'
import { TrashLink } from '#parts/TrashLink.tsx'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Table, TableSkeleton } from '#ui/Table.tsx'
import { useUrlState } from '#ui/useUrlState.ts'
import { ListQuery, ratingPage, SIZES } from './ratingPage.ts'
import { useRatingColumns } from './RatingListColumns.tsx'
import { texts as area } from './texts.ts'

export function RatingList() {
  const texts = area.use()
  const { common } = useMessages()
  const [{ page, limit }, setState] = useUrlState(ListQuery)
  const found = useQuery(ratingPage({ page, limit }))
  const { ask, question } = useDeleteRating()
  const columns = useRatingColumns(ask)
  const { total = 0, pages = 0 } = found.data?.pagination ?? {}
  const shown = found.data?.ratings.length ?? 0
  const first = (page - 1) * limit

  return (
    <Page title={texts.title} subtitle={texts.subtitle} actions={<TrashLink kind="Rating" />}>
      <Card flush>
        <Loaded
          query={found}
          loading={texts.loading}
          failed={texts.failed}
          skeleton={<TableSkeleton columns={columns} rows={limit} />}
        >
          {({ ratings }) => (
            <Table<Rating>
              label={texts.title}
              columns={columns}
              rows={ratings}
              rowKey={({ _id }) => _id}
              empty={<Empty isLate={page > 1} toFirst={() => setState({ page: 1 })} />}
            />
          )}
        </Loaded>
        {!found.isLoadingError && found.data?.pagination.total !== 0 && (
          <Pager
            page={page}
            hasNext={page < pages}
            size={limit}
            sizes={SIZES}
            onSize={(size) => setState({ limit: size })}
            onPage={(next) => setState({ page: next })}
          >
            {found.data && common.showing(shown ? first + 1 : 0, shown ? first + shown : 0, total)}
          </Pager>
        )}
      </Card>
      {question}
    </Page>
  )
}

function Empty({ isLate, toFirst }: { isLate: boolean; toFirst: () => void }) {
  const texts = area.use()
  const { common } = useMessages()
  return (
    <EmptyState icon={Star} title={texts.empty} hint={isLate ? common.emptyPage : texts.emptyCatalogue}>
      {isLate ? (
        <Button onClick={toFirst}>{common.firstPage}</Button>
      ) : (
        <Link to="/media" className={buttonClass({ variant: 'primary' })}>
          {texts.toMedia}
        </Link>
      )}
    </EmptyState>
  )
}
