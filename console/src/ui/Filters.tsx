import { ListFilter, SlidersHorizontal } from 'lucide-react'
import { Fragment, type ReactNode, useState } from 'react'
import { areaTexts, useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import { type ChoiceFilter, FilterField, type SearchFilter } from './FilterField.tsx'
import { Muted, Row } from './layout.tsx'
import css from './Filters.module.css'
import { useIsWide } from './useIsWide.ts'

const foldTexts = areaTexts({ more: 'Filters and order' }, { more: '筛选与排序' })

/** The filters of a list in display order, by their URL parameters. */
export type FilterFields<State> = {
  [Name in Exclude<keyof State, 'page' | 'limit'>]-?: SearchFilter | ChoiceFilter<NonNullable<State[Name]>>
}

type NameOf<State> = keyof FilterFields<State> & string

interface Props<State> {
  /** Accessible label. */
  label: string
  fields: FilterFields<NoInfer<State>>
  /** The filters in the URL. */
  applied: State
  /** With `replace`, no history entry is added. */
  onApply: (filters: Partial<NoInfer<State>>, how?: { replace?: boolean }) => void
  onReset: () => void
  /**
   * Filters apply with the Filter button or Enter; phones show all but the first only when asked to. Otherwise, choices
   * apply immediately, and texts after the debounce.
   */
  hasSubmit?: boolean
  /** Whether the rows are sorted by best match. */
  byMatch?: boolean
  /** Additional fields, which apply by themselves. */
  children?: ReactNode
}

/** The filter bar above a list, with a Reset button. */
export function Filters<State extends object>(props: Props<State>) {
  const { label, fields, hasSubmit = false, byMatch, children } = props
  const { common } = useMessages()
  const { round, names, values, change, submit, reset } = useFilters(props)
  const isWide = useIsWide()
  const fold = foldTexts.use()
  const [isUnfolded, setUnfolded] = useState(false)
  const isFoldable = !isWide && hasSubmit && names.length > 1
  const set = names.slice(1).filter((name) => props.applied[name] !== undefined).length
  const [first, ...others] = names.map((name) => (
    // Reset changes the key, to remount the fields and discard text that has not been applied.
    <FilterField
      key={`${name} ${round}`}
      field={fields[name]}
      value={values[name]}
      isDebounced={!hasSubmit}
      onChange={(value) => change(name, value)}
    />
  ))
  const submitButton = hasSubmit && (
    <Button type="submit" icon={ListFilter}>
      {common.filter}
    </Button>
  )
  const resetButton = (
    <Button variant="quiet" onClick={reset}>
      {common.reset}
    </Button>
  )
  return (
    <form
      role="search"
      aria-label={label}
      data-sorts={'sort' in fields || undefined}
      className={`${css.filters} ${hasSubmit ? css.submitted : css.immediate}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {first}
      {/* On phones, a button stands in the row of the first field. */}
      {isFoldable && (
        <Button
          icon={SlidersHorizontal}
          aria-label={set > 0 ? `${fold.more} ${set}` : fold.more}
          aria-expanded={isUnfolded}
          className={css.fold}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {set > 0 && set}
        </Button>
      )}
      {!isWide && (submitButton || resetButton)}
      {(!isFoldable || isUnfolded) && others}
      <Fragment key={round}>{children}</Fragment>
      {isFoldable && !isUnfolded ? undefined : isWide ? (
        <Row gap={1} align="stretch">
          {submitButton}
          {resetButton}
        </Row>
      ) : (
        submitButton && resetButton
      )}
      {byMatch && (
        <Muted as="p" small className={css.match}>
          {common.bestMatch}
        </Muted>
      )}
    </form>
  )
}

function useFilters<State extends object>({ fields, applied, onApply, onReset, hasSubmit = false }: Props<State>) {
  // `fields` is an object literal with exactly these names.
  const names = Object.keys(fields) as NameOf<State>[]
  const [draft, setDraft] = useDraft(applied, names)
  const [round, setRound] = useState(0)
  const apply = (filters: Partial<State>) => onApply(pick(filters, names))
  return {
    round,
    names,
    values: hasSubmit ? draft : applied,
    change(name: NameOf<State>, value: unknown) {
      const field = fields[name]
      const isChoice = 'options' in field
      // `value` has the type of the field with this name.
      const changed = { [name]: value } as Partial<State>
      if (!hasSubmit) onApply(changed, { replace: !isChoice })
      else if (isChoice && field.appliesAtOnce) apply({ ...draft, ...changed })
      else setDraft({ ...draft, ...changed })
    },
    submit: () => hasSubmit && apply(draft),
    reset() {
      setRound(round + 1)
      setDraft({})
      onReset()
    },
  }
}

/** The values of these names, with trimmed texts; empty ones become `undefined`. */
function pick<State extends object>(state: Partial<State>, names: readonly NameOf<State>[]): Partial<State> {
  const entries = names.map((name) => {
    const value = state[name]
    return [name, typeof value === 'string' ? value.trim() || undefined : value]
  })
  // The same names, with values of the same types.
  return Object.fromEntries(entries) as Partial<State>
}

/** The choices that have not been applied yet. They follow the URL when that changes, by Back, a link or Reset. */
function useDraft<State extends object>(applied: State, names: readonly (keyof State)[]) {
  const [seen, setSeen] = useState(applied)
  const [draft, setDraft] = useState<Partial<State>>(applied)
  if (names.some((name) => seen[name] !== applied[name])) {
    setSeen(applied)
    setDraft(applied)
  }
  return [draft, setDraft] as const
}
