import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Star } from 'lucide-react'
import { useDeleteRating } from '#parts/rating/deleteRating.tsx'
import { TrashLink } from '#parts/TrashLink.tsx'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyList } from '#ui/EmptyList.tsx'
import { Filters } from '#ui/Filters.tsx'
import { LoadedTable } from '#ui/LoadedTable.tsx'
import { Page } from '#ui/Page.tsx'
import { useRange } from '#parts/RangePager.tsx'
import { Pager } from '#ui/Pager.tsx'
import { useFailure } from '#ui/useFailure.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { ListQuery, ratingPage, SIZES } from './ratingPage.ts'
import { useRatingColumns } from './RatingListColumns.tsx'
import { texts as area } from './texts.ts'

export function RatingList() {
  const texts = area.use()
  const [state, setState, reset, turn] = useUrlState(ListQuery)
  const { page, limit, search } = state
  const found = useQuery(ratingPage(state))
  const failure = useFailure(found)
  const { ask, question } = useDeleteRating()
  const columns = useRatingColumns(ask)
  const total = found.data?.pagination.total ?? 0
  const shown = found.data?.ratings.length ?? 0
  const { hasNext, range } = useRange({ page, limit, shown, total, isCapped: Boolean(search) })

  return (
    <Page title={texts.title} subtitle={texts.subtitle} actions={<TrashLink kind="Rating" />}>
      <Card flush>
        <Filters
          label={texts.search}
          fields={{ search: { label: texts.search, placeholder: texts.searchHint } }}
          applied={{ search }}
          onApply={setState}
          onReset={reset}
        />
        <LeftOut schema={ListQuery} />
        <LoadedTable
          query={found}
          rowsOf={({ ratings }) => ratings}
          texts={texts}
          expected={limit}
          label={texts.title}
          columns={columns}
          rowKey={({ _id }) => _id}
          empty={
            <EmptyList
              icon={Star}
              title={texts.empty}
              hints={{ filtered: texts.emptyFiltered, empty: texts.emptyCatalogue }}
              isLate={page > 1}
              isFiltered={Boolean(search)}
              onFirstPage={() => setState({ page: 1 })}
              onReset={reset}
            >
              <Link to="/media" className={buttonClass({ variant: 'primary' })}>
                {texts.toMedia}
              </Link>
            </EmptyList>
          }
        />
        {!failure && found.data?.pagination.total !== 0 && (
          <Pager
            page={page}
            hasNext={hasNext}
            last={Math.ceil(total / limit)}
            size={limit}
            sizes={SIZES}
            onSize={(size) => setState({ limit: size })}
            onPage={turn}
          >
            {found.data && range}
          </Pager>
        )}
      </Card>
      {question}
    </Page>
  )
}
