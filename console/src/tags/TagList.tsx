import { page as pageOf } from '@mokuroku/contract/common'
import { TagQuery, tagsApi } from '@mokuroku/contract/tags'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Hash, Plus } from 'lucide-react'
import * as z from 'zod/mini'
import { qList } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { useRefusal } from '#parts/refusal.ts'
import { TrashLink } from '#parts/TrashLink.tsx'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { useRowKeys } from '#ui/useRowKeys.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { useDeleteTag } from './deleteTag.tsx'
import { TagCard, TagCardSkeleton } from './TagCard.tsx'
import css from './TagList.module.css'
import { TagListFilters } from './TagListFilters.tsx'

/** Tags per page. */
const LIMIT = 20

/** What the address of the list may hold; the server is asked by offset. */
const ListQuery = z.object({
  page: pageOf(LIMIT).page,
  type: TagQuery.shape.type,
  search: TagQuery.shape.search,
})

export function TagList() {
  const { tags: texts, common } = useMessages()
  const [{ page, type, search }, setState, reset] = useUrlState(ListQuery)
  const skip = (page - 1) * LIMIT
  const found = useQuery(qList(tagsApi.list, { query: { limit: LIMIT, skip, type, search } }))
  const { ask, question } = useDeleteTag()
  useRowKeys()
  const total = found.data?.total ?? 0
  const shown = found.data?.tags.length ?? 0

  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <TrashLink kind="Tag" />
          <AddTag />
        </>
      }
    >
      <Card flush>
        <TagListFilters applied={{ type, search }} onApply={setState} onReset={reset} />
        <Loaded
          query={found}
          loading={texts.loading}
          failed={texts.failed}
          skeleton={
            <div className={css.grid} aria-hidden>
              {Array.from({ length: LIMIT }, (_, card) => (
                <TagCardSkeleton key={card} />
              ))}
            </div>
          }
        >
          {({ tags }) =>
            tags.length === 0 ? (
              <Empty
                isLate={page > 1}
                isFiltered={Boolean(type || search)}
                reset={reset}
                toFirst={() => setState({ page: 1 })}
              />
            ) : (
              <ul className={css.grid} aria-label={texts.title} data-list>
                {tags.map((tag) => (
                  <TagCard key={tag._id} tag={tag} onDelete={ask} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {total > LIMIT && (
          <Pager page={page} hasNext={page * LIMIT < total} onPage={(next) => setState({ page: next })}>
            {common.showing(shown ? skip + 1 : 0, shown ? skip + shown : 0, total)}
          </Pager>
        )}
      </Card>
      {question}
    </Page>
  )
}

function AddTag() {
  const { tags: texts } = useMessages()
  const reason = useRefusal()('create', 'Tag')
  if (reason) {
    return (
      <Button variant="primary" icon={Plus} reason={reason}>
        {texts.add}
      </Button>
    )
  }
  return (
    <Link to="/tags/new" className={buttonClass({ variant: 'primary' })}>
      <Plus size={16} aria-hidden />
      {texts.add}
    </Link>
  )
}

interface EmptyProps {
  isLate: boolean
  isFiltered: boolean
  reset: () => void
  toFirst: () => void
}

function Empty({ isLate, isFiltered, reset, toFirst }: EmptyProps) {
  const { tags: texts, common } = useMessages()
  const hint = isLate ? texts.emptyPage : isFiltered ? texts.emptyFiltered : texts.emptyCatalogue
  return (
    <EmptyState icon={Hash} title={texts.empty} hint={hint}>
      {isLate && <Button onClick={toFirst}>{texts.firstPage}</Button>}
      {isFiltered && <Button onClick={reset}>{common.reset}</Button>}
      {!isLate && !isFiltered && <AddTag />}
    </EmptyState>
  )
}
