import { searchApi } from '@mokuroku/contract/search'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { isComposing } from '#ui/composing.ts'
import { TextField } from '#ui/Field.tsx'
import { Spinner } from '#ui/Spinner.tsx'
import { useHeldEnter } from '#ui/useHeldEnter.ts'
import css from './SearchSelect.module.css'
import { type Choice, Suggestion, SuggestionSkeleton } from './Suggestion.tsx'

/** Most hits shown. */
const MAX_HITS = 10
/** While the index is being built it is asked again after this many milliseconds. */
const ASK_AGAIN = 3000

interface Props {
  index: 'media' | 'characters' | 'tags' | 'users'
  /** An id that is not offered: a thing is not its own replacement. */
  without?: string
  /**
   * Enter takes the first hit, which is marked, unless another was chosen: for a box without a form around it. Pressed
   * before the hits are there, it waits for them.
   */
  takesFirst?: boolean
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  onChoose: (choice: Choice) => void
  /** What an empty box offers: the user's recent items, newest first. Asked for when the box is entered. */
  recent: Pick<UseQueryResult<Choice[]>, 'data' | 'isError' | 'isPending'>
  onEnter: () => void
  recentTitle: string
  recentFailed: string
  className?: string | undefined
}

/**
 * A search box with suggestions (an ARIA combobox with a list). Choosing one is up to the screen; Enter without a choice
 * submits the form around it.
 */
export function SearchSelect(props: Props) {
  const { label, placeholder, text, onText, onChoose, onEnter, className, takesFirst, ...source } = props
  const { common } = useMessages()
  const id = useId()
  const [open, setOpen] = useState(false)
  const [moved, setActive] = useState(-1)
  const { choices, title, note, alert, busy, waiting } = useChoices(source, text.trim(), open)
  const active = takesFirst && moved < 0 && text.trim() && !waiting ? 0 : moved
  const shown = open && (choices.length > 0 || busy || note !== undefined)
  useEffect(() => {
    if (shown && active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, shown, active])

  const choose = (choice: Choice | undefined) => {
    setOpen(false)
    setActive(-1)
    if (choice) onChoose(choice)
  }
  const enter = useHeldEnter(text.trim(), waiting, () => choices[0] && choose(choices[0]))
  const close = () => {
    choose(undefined)
    enter.release()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const chosen = shown ? choices[active] : undefined
    const next = shown ? goal(event.key, active, choices.length) : undefined
    if (event.key === 'Enter') {
      if (chosen) event.preventDefault()
      if (chosen) choose(chosen)
      else if (takesFirst && text.trim() && waiting) {
        setOpen(true)
        enter.hold()
      } else close()
    } else if (event.key === 'Escape') {
      // Where it is closed already, Esc leaves the box, or the dialog around it once the box is empty.
      const empties = !shown && text !== '' && event.currentTarget.closest('dialog') !== null
      if (shown || empties) event.preventDefault()
      if (shown) close()
      else if (empties) onText('')
    } else if (next !== undefined) {
      event.preventDefault()
      setActive(next)
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
    }
  }

  return (
    <div className={`${css.search} ${className ?? ''}`} onBlur={(event) => leaves(event) && close()}>
      <TextField
        type="search"
        label={label}
        hideLabel
        icon={Search}
        aria-busy={enter.isHeld || undefined}
        end={enter.isHeld && <Spinner size={16} label={common.loading} />}
        placeholder={placeholder}
        value={text}
        maxLength={200}
        autoComplete="off"
        enterKeyHint="search"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown && choices.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown && choices[active] ? `${id}-${active}` : undefined}
        onFocus={() => {
          onEnter()
          setOpen(true)
        }}
        onClick={() => setOpen(true)}
        onChange={(event) => {
          onText(event.currentTarget.value)
          setActive(-1)
          enter.release()
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
      />
      {shown && (
        // Pressed inside, the focus stays in the box, so that a press is a choice and not a leaving.
        <div className={css.popup} role="presentation" onPointerDown={(event) => event.preventDefault()}>
          {title && <p className={css.title}>{title}</p>}
          {note && (
            <p className={css.note} role={alert ? 'alert' : 'status'}>
              {note}
            </p>
          )}
          {busy && <SuggestionSkeleton />}
          {choices.length > 0 && (
            <div role="listbox" id={`${id}-list`} aria-label={title ?? label} className={css.list}>
              {choices.map((choice, position) => (
                <div
                  key={choice._id}
                  role="option"
                  id={`${id}-${position}`}
                  tabIndex={-1}
                  aria-selected={position === active}
                  className={css.option}
                  onPointerMove={() => setActive(position)}
                  onClick={() => choose(choice)}
                >
                  <Suggestion choice={choice} plain={source.index === 'tags' || source.index === 'users'} />
                </div>
              ))}
            </div>
          )}
        </div>
      )}
    </div>
  )
}

type Source = Pick<Props, 'index' | 'without' | 'recent' | 'recentTitle' | 'recentFailed'>

/** What the box offers now: hits for a text, recent items without one, or a sentence why there is nothing. */
function useChoices({ index, without, recent, recentTitle, recentFailed }: Source, text: string, open: boolean) {
  const { palette } = useMessages()
  const settled = useDebounced(text)
  const found = useQuery({
    ...q(searchApi.search, { query: { q: settled, indexName: index, limit: MAX_HITS } }),
    enabled: open && text !== '' && settled !== '',
    meta: { quiet: true },
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => state.data?.status === 'indexing' && ASK_AGAIN,
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
  const nothing = !waiting && found.data && hits.length === 0 ? palette.nothing(text) : undefined
  const note = found.isError ? palette.failed : found.data?.status === 'indexing' ? palette.indexing : nothing
  const busy = choices.length === 0 && note === undefined
  return { choices, title: undefined, note, alert: found.isError, busy, waiting: waiting || found.isPending }
}

/** Where a key leads in an open list; -1 is the box itself. Home and End belong to the text until a choice is active. */
function goal(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return active + 1 < count ? active + 1 : -1
  if (key === 'ArrowUp') return active < 0 ? count - 1 : active - 1
  if (active < 0) return undefined
  return { Home: 0, End: count - 1 }[key]
}

const leaves = ({ currentTarget, relatedTarget }: React.FocusEvent) =>
  !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
