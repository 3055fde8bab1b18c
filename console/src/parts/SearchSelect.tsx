import { searchApi } from '@mokuroku/contract/search'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { isComposing } from '#ui/composing.ts'
import { TextField } from '#ui/Field.tsx'
import { Row } from '#ui/layout.tsx'
import { isFocusLeaving } from '#ui/leaves.ts'
import { Spinner } from '#ui/Spinner.tsx'
import { useHeldEnter } from '#ui/useHeldEnter.ts'
import css from './SearchSelect.module.css'
import { type Choice, Suggestion, SuggestionSkeleton } from './Suggestion.tsx'

/** Maximum number of hits shown. */
const MAX_HITS = 10
/** Polling interval while the search index is being built. */
const POLL_MS = 3000

interface Props {
  index: 'media' | 'characters' | 'tags' | 'users' | 'assets'
  /** An id to exclude: an entity cannot replace itself. */
  without?: string
  /**
   * Enter chooses the first hit, which is preselected, unless another is selected: for a field without a form around
   * it. If the hits have not arrived, Enter waits for them. If they only resemble the text, none is preselected, but
   * the option to create it is.
   */
  takesFirst?: boolean
  /** Offers to create what is not found, below the hits, unless one has exactly that name. */
  create?: Creation | undefined
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  onChoose: (choice: Choice) => void
  /** Suggestions for an empty field: the user's recent items, newest first. Loaded when the field is focused. */
  recent: Pick<UseQueryResult<Choice[]>, 'data' | 'isError' | 'isPending'>
  onEnter: () => void
  recentTitle: string
  recentFailed: string
  error?: string | undefined
  className?: string | undefined
}

interface Creation {
  label: (text: string) => string
  onCreate: (text: string) => void
}

/**
 * A search field with suggestions (an ARIA combobox with a listbox). The screen handles the choice; Enter without a
 * choice submits the surrounding form.
 */
export function SearchSelect(props: Props) {
  const { label, placeholder, text, error, className, index } = props
  const { common } = useMessages()
  const id = useId()
  const box = useBox(props)
  const { shown, active, enter } = box
  const isPressing = useIsPressing()
  useEffect(() => {
    if (shown && active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, shown, active])
  return (
    <div
      className={`${css.search} ${className ?? ''}`}
      onBlur={(event) => {
        if (!isFocusLeaving(event)) return
        if (isPressing.current) afterPress(event.currentTarget, box.close)
        else box.close()
      }}
    >
      <TextField
        type="search"
        label={label}
        hideLabel
        icon={Search}
        aria-busy={enter.isHeld || undefined}
        end={enter.isHeld && <Spinner size={16} label={common.loading} />}
        placeholder={placeholder}
        value={text}
        error={error}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown && box.count > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown && active >= 0 && active < box.count ? `${id}-${active}` : undefined}
        onFocus={box.onFocus}
        onClick={box.onClick}
        onChange={(event) => box.onText(event.currentTarget.value)}
        onKeyDown={box.onKeyDown}
      />
      {shown && (
        <Popup
          id={id}
          label={label}
          offer={box.offer}
          create={box.canCreate && props.create ? props.create.label(text.trim()) : undefined}
          onCreate={box.create}
          active={active}
          plain={index === 'tags' || index === 'users'}
          onActive={box.onActive}
          onChoose={box.choose}
        />
      )}
    </div>
  )
}

/** Whether a mouse button is being pressed, or a touch acts like one: whether a blur is due to that. */
function useIsPressing() {
  const isPressing = useRef(false)
  useEffect(() => {
    const onPress = () => {
      isPressing.current = true
      // The focus moves before any timeout. A release may never be reported, as after dragging.
      setTimeout(() => (isPressing.current = false))
    }
    document.addEventListener('mousedown', onPress, { capture: true })
    return () => document.removeEventListener('mousedown', onPress, { capture: true })
  }, [])
  return isPressing
}

/**
 * Calls `close` once a pointer that is pressed elsewhere is up: in a dialog, the popup pushes the content down, and the
 * pressed button would move away before its click.
 */
function afterPress(box: Element, close: () => void) {
  const closeUnlessFocused = () => !box.contains(document.activeElement) && close()
  // Not `pointerup`: a touch sends that before the focus moves.
  document.addEventListener('mouseup', () => setTimeout(closeUnlessFocused), { once: true })
}

/** State and keyboard handling of the combobox. */
function useBox({ text, onText, onChoose, onEnter, takesFirst, create: creation, ...source }: Props) {
  const [open, setOpen] = useState(false)
  const [moved, setActive] = useState(-1)
  const offer = useOffer(source, text.trim(), open)
  const { choices, waiting } = offer
  const canCreate = creation !== undefined && text.trim() !== '' && !waiting && !offer.alert && !isNamed(choices, text)
  const count = choices.length + (canCreate ? 1 : 0)
  const isOnlySimilar = choices[0]?.match?.kind === 'typo'
  const first = !isOnlySimilar ? 0 : canCreate ? choices.length : -1
  const active = takesFirst && moved < 0 && text.trim() && !waiting ? first : moved
  const shown = open && (count > 0 || offer.busy || offer.note !== undefined)

  const choose = (choice: Choice | undefined) => {
    setOpen(false)
    setActive(-1)
    if (choice) onChoose(choice)
  }
  const create = () => {
    choose(undefined)
    creation?.onCreate(text.trim())
  }
  const enter = useHeldEnter(text.trim(), waiting, () => {
    if (choices[first]) choose(choices[first])
    else if (canCreate) create()
  })
  const close = () => {
    choose(undefined)
    enter.release()
  }
  const onEnterKey = (event: KeyboardEvent) => {
    const chosen = shown ? choices[active] : undefined
    if (chosen) {
      event.preventDefault()
      choose(chosen)
    } else if (shown && canCreate && active === choices.length) {
      event.preventDefault()
      create()
    } else if (takesFirst && text.trim() && waiting) {
      // In a form, Enter would also submit it.
      event.preventDefault()
      setOpen(true)
      enter.hold()
    } else if (shown && takesFirst && isOnlySimilar) event.preventDefault()
    else close()
  }
  const onEscape = (event: KeyboardEvent) => {
    // If the popup is closed already, Escape first clears a field in a dialog, and otherwise keeps its default action.
    const empties = !shown && text !== '' && event.currentTarget.closest('dialog') !== null
    if (shown || empties) event.preventDefault()
    if (shown) close()
    else if (empties) onText('')
  }
  const onArrow = (event: KeyboardEvent) => {
    const next = shown ? goal(event.key, active, count) : undefined
    if (next !== undefined) setActive(next)
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setOpen(true)
    else return
    event.preventDefault()
  }

  return {
    offer,
    shown,
    active,
    count,
    canCreate,
    enter,
    choose,
    create,
    close,
    onActive: setActive,
    onFocus: () => {
      onEnter()
      setOpen(true)
    },
    onClick: () => setOpen(true),
    onText: (next: string) => {
      onText(next)
      setActive(-1)
      enter.release()
      setOpen(true)
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (isComposing(event.nativeEvent)) return
      if (event.key === 'Enter') onEnterKey(event)
      else if (event.key === 'Escape') onEscape(event)
      else onArrow(event)
    },
  }
}

interface PopupProps {
  /** The combobox's id, from which those of the list and its options are derived. */
  id: string
  label: string
  offer: Offer
  /** Label of the option that creates an entry; undefined if there is none. */
  create: string | undefined
  onCreate: () => void
  active: number
  plain: boolean
  onActive: (position: number) => void
  onChoose: (choice: Choice) => void
}

function Popup({
  id,
  label,
  offer: { choices, title, note, alert, busy },
  create,
  onCreate,
  active,
  plain,
  onActive,
  onChoose,
}: PopupProps) {
  return (
    // Keeps the focus in the field when an option is pressed, because losing it would close the popup.
    <div className={css.popup} role="presentation" onPointerDown={(event) => event.preventDefault()}>
      {title && <p className={css.title}>{title}</p>}
      {note && (
        <p className={css.note} role={alert ? 'alert' : 'status'}>
          {note}
        </p>
      )}
      {busy && <SuggestionSkeleton />}
      {(choices.length > 0 || create) && (
        <div role="listbox" id={`${id}-list`} aria-label={title ?? label} className={css.list}>
          {choices.map((choice, position) => (
            <div
              key={choice._id}
              role="option"
              id={`${id}-${position}`}
              tabIndex={-1}
              aria-selected={position === active}
              className={css.option}
              onPointerMove={() => onActive(position)}
              onClick={() => onChoose(choice)}
            >
              <Suggestion choice={choice} plain={plain} />
            </div>
          ))}
          {create && (
            <Row
              role="option"
              id={`${id}-${choices.length}`}
              tabIndex={-1}
              aria-selected={active === choices.length}
              gap={2}
              className={`${css.option} ${css.create}`}
              onPointerMove={() => onActive(choices.length)}
              onClick={onCreate}
            >
              <Plus size={16} aria-hidden />
              {create}
            </Row>
          )}
        </div>
      )}
    </div>
  )
}

interface Offer {
  choices: Choice[]
  /** Heading above the choices. */
  title: string | undefined
  /** Message that explains why there are no choices. */
  note: string | undefined
  alert: boolean
  busy: boolean
  /** Whether the choices still belong to an earlier text. */
  waiting: boolean
}

type Source = Pick<Props, 'index' | 'without' | 'recent' | 'recentTitle' | 'recentFailed'>

/** What the combobox offers: hits for a text, recent items for an empty one, or a message. */
function useOffer({ index, without, recent, recentTitle, recentFailed }: Source, text: string, open: boolean): Offer {
  const { search } = useMessages()
  const settled = useDebounced(text)
  const found = useQuery({
    ...q(searchApi.search, { query: { q: settled, indexName: index, limit: MAX_HITS } }),
    enabled: open && text !== '' && settled !== '',
    meta: { quiet: true },
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => state.data?.status === 'indexing' && POLL_MS,
  })
  if (text === '') {
    const choices: Choice[] = recent.data ?? []
    const note = recent.isError ? recentFailed : undefined
    return {
      choices,
      title: (note ?? (choices.length > 0 || recent.isPending)) ? recentTitle : undefined,
      note,
      alert: recent.isError,
      busy: recent.isPending,
      waiting: false,
    }
  }
  const waiting = settled !== text || found.isPlaceholderData
  const hits = (found.data?.hits ?? []).filter(({ _id }) => _id !== without)
  const choices: Choice[] = found.isError ? [] : hits.slice(0, MAX_HITS)
  const nothing = !waiting && found.data && hits.length === 0 ? search.nothing(text) : undefined
  const note = found.isError ? search.failed : found.data?.status === 'indexing' ? search.indexing : nothing
  const busy = choices.length === 0 && note === undefined
  return { choices, title: undefined, note, alert: found.isError, busy, waiting: waiting || found.isPending }
}

/** Whether a choice has exactly this name. */
const isNamed = (choices: readonly Choice[], text: string) =>
  choices.some(({ match }) => match?.text.toLowerCase() === text.trim().toLowerCase())

/**
 * The index that a key moves to in an open list; -1: the field. Home and End move the caret until a choice is active.
 */
function goal(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return active + 1 < count ? active + 1 : -1
  if (key === 'ArrowUp') return active < 0 ? count - 1 : active - 1
  if (active < 0) return undefined
  return { Home: 0, End: count - 1 }[key]
}
