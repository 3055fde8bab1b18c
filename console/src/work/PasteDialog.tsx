import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import type { Area } from '#parts/area/area.ts'
import { languageName } from '#parts/titles.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import css from './Matrix.module.css'
import type { MatrixStore } from './matrix.ts'
import type { MatrixRow } from './matrixState.ts'
import { workTexts } from './texts.ts'
import type { Position } from '#ui/useGrid.ts'

interface Props {
  area: Area
  matrix: MatrixStore
  rows: readonly MatrixRow[]
  languages: readonly string[]
  /** Position of the first pasted cell. */
  at: Position
  cells: readonly (readonly string[])[]
  onClose: () => void
}

/** Preview of a paste before anything is written. Empty cells, and those outside of the grid, are ignored. */
export function PasteDialog({ area, matrix, rows, languages, at, cells, onClose }: Props) {
  const texts = workTexts.use()
  const locale = useLanguage()
  const { edit } = area.refusals(useMe())
  const all = cells.flatMap((line, down) =>
    line.map((text, right) => {
      const row = rows[at.row + down]
      const language = languages[at.column + right]
      return { row, language, text }
    }),
  )
  const placed = all.flatMap(({ row, language, text }) =>
    row && language && text && !edit(row) ? [{ row, place: { id: row._id, language }, text }] : [],
  )
  const changes = placed.filter(({ place, text }) => matrix.textOf(place) !== text)
  const outside = all.filter(({ row, language, text }) => text && (!row || !language || edit(row))).length
  const write = () => {
    matrix.write(changes)
    onClose()
  }
  return (
    <Dialog
      title={texts.pasteTitle}
      wide
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            variant="primary"
            data-autofocus
            reason={changes.length === 0 ? texts.pasteNothing : undefined}
            onClick={write}
          >
            {texts.pasteWrite(changes.length)}
          </Button>
        </>
      }
    >
      {placed.length > changes.length && <p>{texts.pasteSame(placed.length - changes.length)}</p>}
      {outside > 0 && <p>{texts.pasteOutside(outside)}</p>}
      <div className={css.preview}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.entity}</th>
              <th scope="col">{texts.language}</th>
              <th scope="col">{texts.before}</th>
              <th scope="col">{texts.after}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ row, place, text }) => {
              const name = area.nameOf(row, locale)
              return (
                <tr key={`${place.id} ${place.language}`}>
                  <th scope="row" lang={name.lang}>
                    {name.text}
                  </th>
                  <td>{languageName(place.language, locale)}</td>
                  <td lang={place.language}>{matrix.textOf(place) || '—'}</td>
                  <td lang={place.language}>{text}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Dialog>
  )
}
