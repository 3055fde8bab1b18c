import { MAX_TOTAL, totalText } from '@mokuroku/contract/lists'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import { SelectField, TextField } from './Field.tsx'
import { Muted, Row } from './layout.tsx'
import css from './Pager.module.css'

/** Page sizes to choose from. */
const SIZES = [10, 25, 50, 100]

interface Props {
  page: number
  hasNext: boolean
  onPage: (page: number) => void
  /** Number of pages, if known: the user can then jump to any page. */
  pages?: number | undefined
  /** Current page size, if it can be changed. */
  size?: number | undefined
  onSize?: ((size: number) => void) | undefined
  sizes?: readonly number[]
  /** Replaces 'Page N': 'Showing X to Y of Z results'. */
  children?: ReactNode
}

export function Pager({ page, hasNext, onPage, pages = 1, size, onSize, sizes = SIZES, children }: Props) {
  const { common } = useMessages()
  return (
    <Row as="nav" gap={3} justify="between" className={css.pager} aria-label={common.pages}>
      <Button size="small" icon={ChevronLeft} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {common.previous}
      </Button>
      <Row justify="center" wrap className={css.middle}>
        <Muted className={css.where}>
          <span aria-live="polite">{children ?? common.page(page)}</span>
          {!children && pages > 1 && <span> {common.ofPages(pages)}</span>}
        </Muted>
        {pages > 2 && <Jump key={page} pages={pages} onPage={onPage} />}
        {size !== undefined && onSize && (
          <SelectField
            hideLabel
            className={css.size}
            label={common.pageSize}
            value={String(size)}
            options={[...new Set([...sizes, size])]
              .toSorted((one, two) => one - two)
              .map((rows) => ({ value: String(rows), label: common.rows(rows) }))}
            onChange={(rows) => onSize(Number(rows))}
          />
        )}
      </Row>
      <Button size="small" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        {common.next}
        <ChevronRight size={16} aria-hidden />
      </Button>
    </Row>
  )
}

interface Range {
  page: number
  /** The page size, the number of rows on this page, and the total number of rows. */
  limit: number
  shown: number
  /** A count that ends above `MAX_TOTAL`: there may be more. */
  total: number
}

/** Whether there is a next page, and 'Showing X to Y of Z results'. */
export function useRange({ page, limit, shown, total }: Range): { hasNext: boolean; range: string } {
  const { common } = useMessages()
  const before = (page - 1) * limit
  const isMore = total === MAX_TOTAL + 1
  return {
    hasNext: isMore ? shown === limit : page * limit < total,
    range: common.showing(shown ? before + 1 : 0, shown ? before + shown : 0, isMore ? totalText(total) : total),
  }
}

interface RangeProps extends Range {
  onPage: (page: number) => void
}

/** Pager with 'Showing X to Y of Z results'; nothing if there are no rows, or the first page shows all. */
export function RangePager({ onPage, ...rows }: RangeProps) {
  const { page, limit, total } = rows
  const { hasNext, range } = useRange(rows)
  if (total === 0 || (total <= limit && page === 1)) return null
  return (
    <Pager page={page} hasNext={hasNext} onPage={onPage}>
      {range}
    </Pager>
  )
}

/** A field for the page number; Enter goes to that page. */
function Jump({ pages, onPage }: Pick<Props, 'onPage'> & { pages: number }) {
  const { common } = useMessages()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onPage(Number(new FormData(event.currentTarget).get('page')))
  }
  return (
    <form onSubmit={submit}>
      <TextField
        hideLabel
        required
        className={css.jump}
        label={common.goToPage}
        placeholder={common.goTo}
        name="page"
        type="number"
        min={1}
        max={pages}
      />
    </form>
  )
}
