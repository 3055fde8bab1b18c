import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useState } from 'react'
import { Search, X } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { IconButton } from '#ui/Button.tsx'
import { isComposing } from '#ui/composing.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Kbd } from '#ui/Kbd.tsx'
import { Row, Truncate } from '#ui/layout.tsx'
import { Spinner } from '#ui/Spinner.tsx'
import { useHeldEnter } from '#ui/useHeldEnter.ts'
import css from './Palette.module.css'
import { paletteTexts } from './paletteTexts.ts'
import { type Choice, useCommands } from './useCommands.ts'
import { useSearchResults } from './useSearchResults.tsx'

interface Props {
  text: string
  onText: (text: string) => void
  onClose: () => void
  onKeys: () => void
}

/** Command palette: searches the catalogue in any language, all screens, and global actions. */
export function Palette({ text, onText, onClose, onKeys }: Props) {
  const { common, search, shell } = useMessages()
  const palette = paletteTexts.use()
  const list = useId()
  const found = useSearchResults(text)
  const groups = [...found.groups, ...useCommands(text, onKeys)]
    .filter(({ choices }) => choices.length > 0)
    .toSorted((one, other) => Number(other.isExact ?? false) - Number(one.isExact ?? false))
  const choices = groups.flatMap((group) => group.choices)
  const { current, choose, point, restart, onKey, isHeld } = useChoosing({ choices, found, text, list, onClose })
  const note = found.note ?? (choices.length === 0 && text.trim() && !found.busy ? search.nothing(text.trim()) : '')
  return (
    <Dialog kind="palette" title={palette.title} onClose={onClose}>
      <Row gap={3} className={css.box}>
        {isHeld ? <Spinner size={18} label={common.loading} /> : <Search size={18} aria-hidden />}
        <input
          aria-busy={isHeld || undefined}
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={list}
          aria-activedescendant={current && `${list}-${choices.indexOf(current)}`}
          aria-label={palette.title}
          placeholder={palette.placeholder}
          value={text}
          maxLength={200}
          onChange={(event) => {
            onText(event.currentTarget.value)
            restart()
          }}
          onKeyDown={onKey}
        />
        <span className={css.escape}>
          <Kbd>Esc</Kbd>
        </span>
        <IconButton className={css.close} label={shell.close} icon={X} onClick={onClose} />
      </Row>
      <Choices id={list} label={palette.title} {...{ groups, choices, current }} onPoint={point} onChoose={choose} />
      <p role="status" className={note ? css.note : 'sr-only'}>
        {note || (found.busy ? common.loading : '')}
      </p>
    </Dialog>
  )
}

interface Choosing extends Pick<Props, 'onClose'> {
  choices: readonly Choice[]
  found: Pick<ReturnType<typeof useSearchResults>, 'isWaiting'>
  text: string
  /** Id of the listbox; the id of an option is this with its index appended. */
  list: string
}

/** Keeps track of the active option, and handles the keys that move and choose it. */
function useChoosing({ choices, found, text, list, onClose }: Choosing) {
  const [at, setAt] = useState(0)
  const navigate = useNavigate()
  const current = choices[Math.min(at, choices.length - 1)]
  const choose = (choice: Choice | undefined) => {
    if (!choice) return
    onClose()
    if (choice.to) void navigate({ to: choice.to })
    choice.act?.()
  }
  const enter = useHeldEnter(text.trim(), found.isWaiting, () => choose(current))
  const move = (next: number) => {
    enter.release()
    setAt(next)
    document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKey = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const place = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key]
    // An option that the user has moved to is chosen even during a search; otherwise Enter waits for the results.
    if (event.key === 'Enter' && found.isWaiting && at === 0) enter.hold()
    else if (event.key === 'Enter') choose(current)
    else if (event.key === 'Escape' && enter.isHeld) enter.release()
    else if (place !== undefined) move((place + choices.length) % Math.max(1, choices.length))
    else return
    event.preventDefault()
  }
  const restart = () => {
    setAt(0)
    enter.release()
  }
  return { current, choose, point: setAt, restart, onKey, isHeld: enter.isHeld }
}

interface ChoicesProps {
  id: string
  label: string
  groups: readonly { name: string; choices: Choice[] }[]
  choices: readonly Choice[]
  current: Choice | undefined
  onPoint: (index: number) => void
  onChoose: (choice: Choice) => void
}

function Choices({ id, label, groups, choices, current, onPoint, onChoose }: ChoicesProps) {
  return (
    <div id={id} role="listbox" aria-label={label} className={css.list}>
      {groups.map((group) => (
        <div key={group.name} role="group" aria-label={group.name}>
          <p className={css.group} aria-hidden>
            {group.name}
          </p>
          {group.choices.map((choice) => {
            const index = choices.indexOf(choice)
            return (
              <Row
                as="button"
                key={choice.key}
                type="button"
                tabIndex={-1}
                id={`${id}-${index}`}
                role="option"
                aria-selected={choice === current}
                gap={3}
                className={css.choice}
                onPointerMove={() => onPoint(index)}
                onClick={() => onChoose(choice)}
              >
                {choice.cover || <choice.icon size={16} aria-hidden />}
                <Truncate className={css.name} lang={choice.lang}>
                  {choice.name}
                </Truncate>
                {choice.hint && <span className={css.hint}>{choice.hint}</span>}
              </Row>
            )
          })}
        </div>
      ))}
    </div>
  )
}
