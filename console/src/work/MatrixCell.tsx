import type { FindingCode } from '@mokuroku/contract/findings'
import { Check, CircleAlert, PenLine } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { joinSentences } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { texts as findingTexts } from '#parts/findings/texts.ts'
import { languageName } from '#parts/titles.ts'
import { isComposing } from '#ui/composing.ts'
import { Spinner } from '#ui/Spinner.tsx'
import type { Place } from './draft.ts'
import css from './Matrix.module.css'
import type { MatrixStore } from './matrix.ts'
import type { Cell } from './matrixState.ts'
import { workTexts } from './texts.ts'
import type { CellEditing } from './useCellEditing.ts'
import type { Position } from '#ui/useGrid.ts'

interface Props {
  matrix: MatrixStore
  editing: CellEditing
  place: Place
  position: Position
  findings: readonly FindingCode[]
  /** Why the user may not edit the text. */
  refusal: string | undefined
}

/** One text, shown or edited in place, with its state and findings. */
export function MatrixCell({ matrix, editing, place, position, findings, refusal }: Props) {
  const { sentences } = findingTexts.use()
  const locale = useLanguage()
  const { at } = editing
  const cell = matrix.cellOf(place)
  const edited = isSame(editing.edited, position) ? editing.edited : undefined
  const description = findings
    .map((code) => sentences[code](languageName(place.language, locale)))
    .reduce(joinSentences, '')
  const text = matrix.textOf(place)
  return (
    <td
      data-cell={`${position.row} ${position.column}`}
      data-state={cell?.state}
      aria-readonly={refusal !== undefined || undefined}
      data-finding={findings.length > 0 || undefined}
      tabIndex={-1}
      title={description || undefined}
      className={css.cell}
      // A new object, so that the box takes over the focus even if the cell had it before.
      onFocus={({ target, currentTarget }) => target === currentTarget && editing.setAt({ ...position })}
      onDoubleClick={() => !edited && editing.begin(position)}
    >
      {!edited && (
        <>
          <span
            lang={place.language}
            className={css.text}
            // It may be cut.
            title={text && `${text}\n${description}`.trim()}
          >
            {text}
          </span>
          <State cell={cell} />
        </>
      )}
      {isSame(at, position) && (
        <Box
          // The box in which typing began must stay, or the IME would lose its composition.
          key={edited && !edited.isTyped ? 'opened' : 'held'}
          {...{ matrix, editing, place, position, refusal, edited }}
        />
      )}
    </td>
  )
}

const isSame = (one: Position | undefined, { row, column }: Position) => one?.row === row && one.column === column

function State({ cell }: { cell: Cell | undefined }) {
  const texts = workTexts.use()
  if (!cell) return null
  const { state } = cell
  const Icon = { draft: PenLine, saved: Check, failed: CircleAlert, conflict: CircleAlert, saving: undefined }[state]
  return (
    <span className={css.state}>
      {Icon ? <Icon size={14} aria-hidden /> : <Spinner size={14} />}
      <span className="sr-only">{texts.cells[state]}</span>
    </span>
  )
}

type BoxProps = Omit<Props, 'findings'> & { edited: CellEditing['edited'] }

/** The most lines that the box of a text shows at once. */
const MAX_LINES = 8

/**
 * Input of the focused cell. Until the cell is edited, it is invisible and its text is selected, so that what is typed,
 * also with an IME, replaces the text. Enter saves and moves down, Tab saves and moves on, Escape cancels, blur saves.
 * In a text with line breaks, Shift+Enter adds one.
 */
function Box({ matrix, editing, place, position, refusal, edited }: BoxProps) {
  const texts = workTexts.use()
  const locale = useLanguage()
  const [typed, setTyped] = useState(edited?.text ?? '')
  const ended = useRef<unknown>(undefined)
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  const stored = matrix.textOf(place)
  const value = edited ? typed : stored
  // An input would remove line breaks.
  const hasLines = stored.includes('\n') || edited?.text.includes('\n') === true
  const Input = hasLines ? 'textarea' : 'input'
  const isOpened = edited !== undefined && !edited.isTyped
  useLayoutEffect(() => {
    if (!isOpened) return
    box.current?.focus()
    box.current?.select()
  }, [isOpened])
  useLayoutEffect(() => {
    const field = box.current
    if (field && document.activeElement === field.parentElement) field.focus({ preventScroll: true })
    if (!edited && document.activeElement === field) field?.select()
  })
  /** Only once, because moving the focus also triggers blur. */
  const once = (act: () => void) => {
    if (!edited || ended.current === edited) return
    ended.current = edited
    act()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!edited || isComposing(event.nativeEvent) || (hasLines && event.shiftKey && event.key === 'Enter')) return
    const { row, column } = position
    const next = {
      Enter: { row: row + 1, column },
      Tab: { row, column: column + (event.shiftKey ? -1 : 1) },
      Escape: position,
    }[event.key]
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    once(() => editing.end(event.key === 'Escape' ? undefined : value, next))
  }
  return (
    <Input
      ref={box}
      lang={place.language}
      aria-label={languageName(place.language, locale)}
      title={edited && (hasLines ? texts.linesHint : texts.boxHint)}
      className={edited ? css.box : css.held}
      readOnly={!edited && refusal !== undefined}
      // Else phones would show their keyboard for a cell that is only focused.
      inputMode={edited ? undefined : 'none'}
      autoComplete="off"
      {...(hasLines && { rows: Math.min(MAX_LINES, value.split('\n').length) })}
      value={value}
      onChange={({ currentTarget }: { currentTarget: { value: string } }) => {
        if (!edited) editing.type(position, currentTarget.value)
        setTyped(currentTarget.value)
        matrix.keep(place, currentTarget.value)
      }}
      onKeyDown={onKeyDown}
      onCompositionEnd={({ currentTarget }: { currentTarget: { value: string } }) => {
        // The user cancelled what began the edit.
        if (edited?.isTyped && currentTarget.value === '') once(() => editing.end(undefined, position))
      }}
      onBlur={() => once(() => editing.leave(position, value))}
    />
  )
}
