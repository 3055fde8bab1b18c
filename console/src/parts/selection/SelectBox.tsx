import { type MouseEvent as Click, useEffect, useRef } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { selectTexts } from './selectTexts.ts'
import type { Selecting } from './useSelection.ts'
import css from './SelectBox.module.css'

interface Props {
  /** Id of the row; undefined for the checkbox of the whole page. */
  row?: string
  label: string
  checked: boolean
  isDisabled?: boolean
  /** Whether only some of its rows are selected (indeterminate). */
  isPartial?: boolean
  /** `isRange`: Shift was held. */
  onChange: (isRange: boolean) => void
}

interface RowProps {
  row: { _id: string }
  /** Its accessible name. */
  name: string
  selecting: Pick<Selecting, 'isSelected' | 'toggle'>
}

/** Checkbox that selects a row. */
export function RowBox({ row, name, selecting }: RowProps) {
  const texts = selectTexts.use()
  return (
    <SelectBox
      row={row._id}
      label={texts.select(name)}
      checked={selecting.isSelected(row._id)}
      onChange={(isRange) => selecting.toggle(row._id, isRange)}
    />
  )
}

/** Checkbox that selects the rows of a page, with the number of selected rows. */
export function PageBox({
  selecting: { size, isPage, togglePage, hasRows },
}: {
  selecting: Pick<Selecting, 'size' | 'isPage' | 'togglePage' | 'hasRows'>
}) {
  const texts = selectTexts.use()
  const language = useLanguage()
  return (
    <>
      <SelectBox
        label={texts.page}
        isDisabled={!hasRows}
        checked={isPage}
        isPartial={size > 0 && !isPage}
        onChange={togglePage}
      />
      <p role="status" className="sr-only">
        {size > 0 && texts.selected(count(size, language))}
      </p>
    </>
  )
}

function SelectBox({ row, label, isDisabled, checked, isPartial = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartial
  }, [isPartial])
  // Firefox does not pass a click on a label to its checkbox while Shift is held.
  const onLabelClick = (event: Click) => {
    if (!event.shiftKey || event.target !== event.currentTarget) return
    event.preventDefault()
    box.current?.focus()
    onChange(true)
  }
  return (
    <label className={css.target} title={label} onClick={onLabelClick}>
      <input
        ref={box}
        type="checkbox"
        className={css.box}
        data-select={row}
        disabled={isDisabled}
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent }) => onChange((nativeEvent as MouseEvent).shiftKey)}
      />
    </label>
  )
}
