import { usersApi } from '@mokuroku/contract/users'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { mentionAt } from '#lib/mention.ts'
import { guessLanguage } from '#lib/text.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { isComposing } from '#ui/composing.ts'
import { TextArea } from '#ui/Field.tsx'
import { Row } from '#ui/layout.tsx'
import { useHeldEnter } from '#ui/useHeldEnter.ts'
import css from './MentionField.module.css'
import { texts as area } from './texts.ts'

const MAX_PEOPLE = 6

interface Props extends Omit<ComponentProps<typeof TextArea>, 'onChange' | 'value'> {
  value: string
  onText: (text: string) => void
}

/** Text field in which `@` suggests usernames: arrow keys select, Enter or Tab inserts, Escape closes. */
export function MentionField({ value, onText, onKeyDown, ...field }: Props) {
  const texts = area.use()
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const offer = useOffer(value, onText, box)
  const { people, active } = offer
  const shown = people.length > 0
  return (
    <>
      <TextArea
        {...field}
        ref={box}
        value={value}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={shown ? `${id}-list` : undefined}
        aria-activedescendant={shown ? `${id}-${active}` : undefined}
        onChange={({ currentTarget }) => {
          onText(currentTarget.value)
          offer.onCaret()
        }}
        onSelect={offer.onCaret}
        onBlur={offer.close}
        onKeyDown={(event) => {
          offer.onKeyDown(event)
          if (!event.defaultPrevented) onKeyDown?.(event)
        }}
      />
      <p role="status" className="sr-only">
        {shown && texts.people(people.length)}
      </p>
      {shown && (
        <div role="listbox" id={`${id}-list`} aria-label={texts.mention} className={css.list}>
          {people.map(({ _id, username, avatar }, position) => (
            <Row
              key={_id}
              gap={2}
              role="option"
              id={`${id}-${position}`}
              tabIndex={-1}
              aria-selected={position === active}
              className={css.option}
              // Keeps the focus in the text when a suggestion is pressed, because losing it would close the list.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => offer.onActive(position)}
              onClick={() => offer.choose(username)}
            >
              <Avatar name={username} url={avatar} />
              <span lang={guessLanguage(username)}>{username}</span>
            </Row>
          ))}
        </div>
      )}
    </>
  )
}

/** Suggestions for the name at the caret, and their keyboard handling. */
function useOffer(text: string, onText: (text: string) => void, box: { current: HTMLTextAreaElement | null }) {
  const { _id: me } = useMe()
  const [caret, setCaret] = useState<number>()
  const [chosen, setActive] = useState(0)
  /** Caret position to set once the text is updated. */
  const next = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (next.current !== undefined) box.current?.setSelectionRange(next.current, next.current)
    next.current = undefined
  })
  const typed = caret === undefined ? undefined : mentionAt(text, caret)
  const name = useDebounced(typed?.name, 150)
  const found = useQuery({
    ...q(usersApi.list, { query: { search: name, isActive: true, limit: MAX_PEOPLE } }),
    enabled: name !== undefined,
    placeholderData: keepPreviousData,
    // On failure there are no suggestions, and the name can still be typed.
    meta: { quiet: true },
  })
  const others = typed && name ? (found.data?.data ?? []).filter(({ _id }) => _id !== me) : []
  // Until the people for this name arrive, those for an earlier one are shown; a key waits for the new ones.
  const isWaiting = typed?.name !== name || found.isPlaceholderData
  const active = Math.min(chosen, others.length - 1)
  const close = () => setCaret(undefined)
  const choose = (username: string | undefined) => {
    if (!username || !typed || caret === undefined) return
    const mention = `@${username} `
    next.current = typed.from + mention.length
    onText(text.slice(0, typed.from) + mention + text.slice(caret).replace(/^ /, ''))
    close()
  }
  const chooseActive = () => choose(others[active]?.username)
  const enter = useHeldEnter(typed?.name ?? '', isWaiting, chooseActive)
  const accept = isWaiting ? enter.hold : chooseActive
  const keys: Record<string, () => void> = {
    ArrowDown: () => setActive((active + 1) % others.length),
    ArrowUp: () => setActive((active + others.length - 1) % others.length),
    Enter: accept,
    Tab: accept,
    Escape: close,
  }
  return {
    people: others,
    active,
    close,
    choose,
    onActive: setActive,
    onCaret: () => {
      const { selectionStart, selectionEnd } = box.current ?? { selectionStart: 0, selectionEnd: 1 }
      if (document.activeElement !== box.current) return
      setCaret(selectionStart === selectionEnd ? selectionStart : undefined)
      if (selectionStart !== caret) setActive(0)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const act = others.length > 0 && !isComposing(event.nativeEvent) ? keys[event.key] : undefined
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      event.preventDefault()
      act()
    },
  }
}
