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
  /** Gets a function of the current page, which may not have been rendered yet. */
  onPage: (to: (page: number) => number) => void
  /** There are no other pages: nothing is shown, but changes of `children` are announced. */
  isOnly?: boolean
  /** Number of pages, if known: the user can then jump to any page. */
  pages?: number | undefined
  /** The last page that is known to exist, if it is not `pages`. */
  last?: number
  /** Current page size, if it can be changed. */
  size?: number | undefined
  onSize?: ((size: number) => void) | undefined
  sizes?: readonly number[]
  /** Replaces 'Page N': 'Showing X to Y of Z results'. */
  children?: ReactNode
}

export function Pager({
  page,
  hasNext,
  onPage,
  isOnly,
  pages = 1,
  last = pages,
  size,
  onSize,
  sizes = SIZES,
  children,
}: Props) {
  const { common } = useMessages()
  const end = Math.max(last, page + 1)
  return (
    <Row
      as="nav"
      gap={3}
      justify="between"
      // The same element with and without other pages: what is in a new one may not be announced.
      role={isOnly ? 'none' : undefined}
      className={isOnly ? 'sr-only' : css.pager}
      aria-label={isOnly ? undefined : common.pages}
    >
      {!isOnly && (
        <Button
          size="small"
          icon={ChevronLeft}
          disabled={page <= 1}
          onClick={() => onPage((now) => Math.max(1, now - 1))}
        >
          {common.previous}
        </Button>
      )}
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
      {!isOnly && (
        <Button size="small" disabled={!hasNext} onClick={() => onPage((now) => (now < end ? now + 1 : now))}>
          {common.next}
          <ChevronRight size={16} aria-hidden />
        </Button>
      )}
    </Row>
  )
}

/** A field for the page number; Enter goes to that page. */
function Jump({ pages, onPage }: Pick<Props, 'onPage'> & { pages: number }) {
  const { common } = useMessages()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const page = Number(new FormData(event.currentTarget).get('page'))
    onPage(() => page)
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
