import type { FindingCode } from '@mokuroku/contract/findings'
import { findingsIn } from '@mokuroku/contract/findings/checks'
import { Eye } from 'lucide-react'
import { type CSSProperties, useMemo } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { editable } from '#lib/editorText.ts'
import { site } from '#lib/site.ts'
import { useFieldNames } from '#parts/fieldNames.ts'
import type { Area } from '#parts/area/area.ts'
import { Notice } from '#parts/entityEditor/Notice.tsx'
import { editorTexts } from '#parts/entityEditor/texts.ts'
import { PermissionsLink } from '#parts/PermissionsLink.tsx'
import { languageName } from '#parts/titles.ts'
import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { formatShortcut } from '#ui/useShortcut.ts'
import { CellNote } from './CellNote.tsx'
import css from './Matrix.module.css'
import type { MatrixStore } from './matrix.ts'
import type { MatrixRow } from './matrixState.ts'
import { MatrixCell } from './MatrixCell.tsx'
import { PasteDialog } from './PasteDialog.tsx'
import type { Task } from './target.ts'
import { workTexts } from './texts.ts'
import { useCellEditing } from './useCellEditing.ts'

const NONE: readonly FindingCode[] = []

interface Props {
  area: Area
  task: Task
  matrix: MatrixStore
  languages: readonly string[]
}

/**
 * The grid (ARIA: grid): arrow keys move, typing replaces a text, Enter edits it, Escape cancels, Delete empties it,
 * Ctrl+Z undoes, and a paste is previewed before it is written.
 */
export function MatrixGrid(props: Props) {
  const { area, task, matrix, languages } = props
  const texts = workTexts.use()
  const { readOnly } = editorTexts.use()
  const name = useFieldNames(task.kind)(task.field)
  const locale = useLanguage()
  const { rows, acts } = matrix.use()
  const findings = useFindings(area, task, rows)
  const editing = useCellEditing(props, rows)
  const { at, grid, placeAt } = editing
  const refusals = rows.map((_row, row) => editing.refusalAt({ row, column: 0 }))
  const unsaved = rows.flatMap((_row, row) =>
    languages.flatMap((_language, column) => {
      const { state } = matrix.cellOf(placeAt({ row, column })) ?? {}
      return state === 'failed' || state === 'conflict' || state === 'draft' ? [{ row, column, state }] : []
    }),
  )
  // Conflicts are settled one by one.
  const savable = unsaved.filter(({ row, state }) => refusals[row] === undefined && state !== 'conflict')
  const saveAll = () => {
    matrix.saveAgain(savable.map(placeAt))
    // The button has gone.
    editing.focus(at)
  }
  const other = unsaved.find(({ row, column }) => row !== at.row || column !== at.column)
  const isReadOnly = refusals.every((refusal) => refusal !== undefined)
  return (
    <>
      {isReadOnly && (
        <Notice icon={Eye} title={readOnly} hint={refusals[at.row]}>
          <PermissionsLink />
        </Notice>
      )}
      <div className={css.scroll}>
        <table
          ref={grid}
          role="grid"
          aria-readonly={isReadOnly}
          aria-label={`${texts.views.matrix}: ${name}`}
          className={css.grid}
          style={{ '--columns': languages.length } as CSSProperties}
          onKeyDown={editing.onKeyDown}
          onPaste={editing.onPaste}
        >
          <thead>
            <tr>
              <th scope="col">{texts.entity}</th>
              {languages.map((tag) => (
                <th key={tag} scope="col">
                  {languageName(tag, locale)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, rowAt) => (
              <tr key={row._id}>
                <RowHead area={area} row={row} />
                {languages.map((language, column) => (
                  <MatrixCell
                    key={language}
                    {...{ matrix, editing }}
                    place={{ id: row._id, language }}
                    position={{ row: rowAt, column }}
                    findings={findings(row, language)}
                    refusal={refusals[rowAt]}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Row ref={keepClear} align="baseline" justify="end" gap={3} wrap className={css.foot}>
        <CellNote
          field={task.field}
          matrix={matrix}
          place={placeAt(at)}
          findings={findings(rows[at.row], placeAt(at).language)}
          refusal={isReadOnly ? undefined : refusals[at.row]}
        />
        {/* A save may fail after the focus has moved on. */}
        <span role="status" className={css.unsaved}>
          {unsaved.length > 0 && texts.unsaved(unsaved.length)}
        </span>
        {other && (
          <Button size="small" variant="quiet" onClick={() => editing.focus(other)}>
            {texts.showUnsaved}
          </Button>
        )}
        {savable.length > 0 && (
          <Button size="small" variant="quiet" onClick={saveAll}>
            {texts.saveUnsaved}
          </Button>
        )}
        <Button
          size="small"
          variant="quiet"
          title={formatShortcut('Z')}
          reason={acts.length > 0 ? undefined : texts.nothingToUndo}
          onClick={editing.undo}
        >
          {texts.undo}
        </Button>
      </Row>
      {editing.pasted && (
        <PasteDialog {...{ area, matrix, languages, at, rows }} cells={editing.pasted} onClose={editing.endPaste} />
      )}
    </>
  )
}

/** Keeps the focused cell in sight above the foot, which is as high as what it says of that cell. */
function keepClear(foot: HTMLElement | null) {
  if (!foot) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => {
    style.scrollPaddingBottom = `${foot.offsetHeight}px`
    const cell = foot.parentElement?.querySelector('td:focus-within')
    const [covered, cover] = [cell?.getBoundingClientRect(), foot.getBoundingClientRect()]
    // Not a cell that the user has scrolled away.
    if (covered && covered.bottom > cover.top && covered.top < cover.bottom) cell?.scrollIntoView({ block: 'nearest' })
  })
  observer.observe(foot)
  return () => {
    observer.disconnect()
    style.scrollPaddingBottom = ''
  }
}

function RowHead({ area, row }: { area: Area; row: MatrixRow }) {
  const name = area.nameOf(row, useLanguage())
  return (
    <th scope="row" lang={name.lang} title={name.text}>
      {name.text}
    </th>
  )
}

/** Returns a function that gives the findings in a text of a row. Moving through the grid does not check it again. */
function useFindings({ editor: { schema } }: Area, { kind, field }: Task, rows: readonly MatrixRow[]) {
  const { languages: wanted, findings: codes } = site.use()
  const found = useMemo(() => {
    const byText = new Map<string, FindingCode[]>()
    for (const row of rows)
      for (const each of findingsIn(kind, editable(schema, row), { wanted, codes })) {
        const key = `${row._id} ${each.language}`
        if (each.field === field) byText.set(key, [...(byText.get(key) ?? []), each.code])
      }
    return byText
  }, [schema, kind, field, rows, wanted, codes])
  return (row: MatrixRow | undefined, language: string) => found.get(`${row?._id} ${language}`) ?? NONE
}
