import { MAX_TOTAL, totalText } from '@mokuroku/contract/lists'
import type { ComponentProps } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Pager } from '#ui/Pager.tsx'

interface Range {
  page: number
  /** The page size, the number of rows on this page, and the total number of rows. */
  limit: number
  shown: number
  total: number
  /** Whether the server stops counting above `MAX_TOTAL`: there may be more. */
  isCapped?: boolean
}

/** Whether there is a next page, and 'Showing X to Y of Z results'. */
export function useRange({ page, limit, shown, total, isCapped = false }: Range): { hasNext: boolean; range: string } {
  const { common } = useMessages()
  const before = (page - 1) * limit
  const isMore = isCapped && total === MAX_TOTAL + 1
  return {
    hasNext: isMore ? shown === limit : page * limit < total,
    range: common.showing(shown ? before + 1 : 0, shown ? before + shown : 0, isMore ? totalText(total) : total),
  }
}

interface RangeProps extends Range {
  onPage: ComponentProps<typeof Pager>['onPage']
}

/**
 * Pager with 'Showing X to Y of Z results'. If there are no rows, or the first page shows all, it is only announced; not
 * while they are loading, when `total` is undefined.
 */
export function RangePager({
  onPage,
  total: known,
  ...rows
}: Omit<RangeProps, 'total'> & { total: number | undefined }) {
  const { page, limit } = rows
  const total = known ?? 0
  const { hasNext, range } = useRange({ ...rows, total })
  const isShort = total === 0 || (total <= limit && page === 1)
  return (
    <Pager page={page} hasNext={hasNext} isOnly={isShort} last={Math.ceil(total / limit)} onPage={onPage}>
      {known === undefined ? '' : range}
    </Pager>
  )
}
