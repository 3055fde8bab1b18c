import type { FindingCode } from '@mokuroku/contract/findings'
import { Check, CircleAlert, PenLine } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { texts as findingTexts } from '#parts/findings/texts.ts'
import { languageName } from '#parts/titles.ts'
import { isComposing } from '#ui/composing.ts'
import { Spinner } from '#ui/Spinner.tsx'
import type { Place } from './draft.ts'
import css from './Matrix.module.css'
import type { Cell, MatrixStore } from './matrix.ts'
import { workTexts } from './texts.ts'
import type { CellEditing } from './useCellEditing.ts'
import type { Position } from '#ui/useGrid.ts'

interface Props {
  matrix: MatrixStore
  editing: CellEditing
  place: Place
  position: Position
  findings: readonly FindingCode[]
}

/** One text, shown or edited in place, with its state and findings. */
export function MatrixCell({ matrix, editing, place, position, findings }: Props) {
  const { sentences } = findingTexts.use()
  const locale = useLanguage()
  const { at, edited } = editing
  const cell = matrix.cellOf(place)
  const isEdited = isSame(edited, position)
  const description = findings.map((code) => sentences[code](languageName(place.language, locale))).join(' ')
  return (
    <td
      data-cell={`${position.row} ${position.column}`}
      data-state={cell?.state}
      data-finding={findings.length > 0 || undefined}
      tabIndex={isSame(at, position) && !isEdited ? 0 : -1}
      title={description || undefined}
      className={css.cell}
      onFocus={() => editing.setAt(position)}
      onDoubleClick={() => !isEdited && editing.begin(position)}
    >
      {isEdited ? (
        <Box {...{ matrix, editing, place, position }} text={edited?.text ?? ''} />
      ) : (
        <>
          <span lang={place.language} className={css.text}>
            {matrix.textOf(place)}
          </span>
          <State cell={cell} />
        </>
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

type BoxProps = Omit<Props, 'findings'> & { text: string }

/** The most lines that the box of a text shows at once. */
const MAX_LINES = 8

/**
 * Input of a cell. Enter saves and moves down, Tab saves and moves on, Escape cancels, blur saves. In a text with line
 * breaks, Shift+Enter adds one.
 */
function Box({ matrix, editing, place, position, text }: BoxProps) {
  const texts = workTexts.use()
  const locale = useLanguage()
  const [value, setValue] = useState(text)
  const isOver = useRef(false)
  const box = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  // An input would remove line breaks.
  const hasLines = text.includes('\n')
  const Input = hasLines ? 'textarea' : 'input'
  useEffect(() => {
    box.current?.focus()
    box.current?.select()
  }, [])
  /** Only once, because removing the input also triggers blur. */
  const once = (act: () => void) => {
    if (isOver.current) return
    isOver.current = true
    act()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent) || (hasLines && event.shiftKey && event.key === 'Enter')) return
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
      title={hasLines ? texts.linesHint : texts.boxHint}
      className={css.box}
      {...(hasLines && { rows: Math.min(MAX_LINES, value.split('\n').length) })}
      value={value}
      onChange={({ currentTarget }: { currentTarget: { value: string } }) => {
        setValue(currentTarget.value)
        matrix.keep(place, currentTarget.value)
      }}
      onKeyDown={onKeyDown}
      onBlur={() => once(() => editing.leave(position, value))}
    />
  )
}
