import {
  columnOf,
  type Correction,
  type Import,
  type ImportRow,
  importsApi,
  MAX_CORRECTED_CHARS,
  MAX_CORRECTIONS,
  MAX_SHOWN_CHARS,
} from '@mokuroku/contract/imports'
import { fieldError } from '@mokuroku/contract/faults'
import type { Response } from '@mokuroku/contract/route'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { joinFaults, sentenceOf } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { guessLanguage, humanize } from '#lib/text.ts'
import { useLabels, type Words } from '#parts/labels.ts'
import { useKeptState } from '#parts/useKeptState.ts'
import { isComposing } from '#ui/composing.ts'
import { TextArea, TextField } from '#ui/Field.tsx'
import { Muted } from '#ui/layout.tsx'
import type { ChangeVersion } from './changeVersion.ts'
import { ChangesBar } from './ChangesBar.tsx'
import css from './Import.module.css'
import { isTitlePath } from './rows.ts'
import { importTexts } from './texts.ts'

/** Characters of a refused value that are shown. */
const MAX_QUOTED = 60
/** Longer texts are edited in several lines. */
const MAX_LINE = 60

/** Corrections of an import's cells: typed ones are kept until they are saved, on whatever page their rows are. */
export function useCorrections({ _id: id, batch, state }: Import, version: ChangeVersion) {
  const texts = importTexts.use()
  const client = useQueryClient()
  const [typed, setTyped] = useKeptState<Correction[]>(`corrections of ${id}`, [])
  const saving = useMutation({
    mutationFn: (corrections: Correction[]) =>
      call(importsApi.correct, { id, body: { corrections }, base: version.base }),
    meta: { failure: texts.correctFailed },
    onSuccess: (one, saved) => {
      version.saved(one)
      // Until the rows are fetched again, which may fail: they do not go back to the cells as they were.
      client.setQueriesData<Response<typeof importsApi.find>>(
        { queryKey: q(importsApi.find, { id }).queryKey },
        (page) => page && { ...page, ...one, rows: page.rows.map((row) => corrected(row, saved)) },
      )
      setTyped((before) => before.filter((each) => !saved.includes(each)))
      setAwaiting(true)
    },
    onError: version.refused,
  })
  const [isAwaiting, setAwaiting] = useState(false)
  return {
    typed,
    isOpen: batch === null && (state === 'ready' || state === 'cancelled'),
    isSaving: saving.isPending,
    /** Keeps the text of a cell, unless it is that of the file. */
    set: (cell: Correction, original: string) => {
      version.begin()
      setTyped((before) => [
        ...before.filter(({ row, header }) => row !== cell.row || header !== cell.header),
        ...(cell.text === original ? [] : [cell]),
      ])
    },
    save: () => saving.mutate(typed.slice(0, MAX_CORRECTIONS)),
    discard: () => setTyped([]),
    /** Called when the rows are checked again for another reason: `goOn` then moves the focus, too. */
    awaitCheck: () => setAwaiting(true),
    /**
     * After a check that the user has asked for: goes to the next cell to correct, or to the summary, unless the user
     * types elsewhere.
     */
    goOn: () => {
      if (!isAwaiting) return
      setAwaiting(false)
      if (document.activeElement?.matches('input, textarea, [contenteditable], dialog *')) return
      const cell = document.querySelector<HTMLElement>('[data-cell]')
      const next = cell ?? document.querySelector<HTMLElement>('[data-summary]')
      next?.focus()
    },
  }
}
export type Corrections = ReturnType<typeof useCorrections>

/** A row with its corrections; one that has any waits to be checked. */
function corrected(row: ImportRow, saved: Correction[]): ImportRow {
  const own = saved.filter((each) => each.row === row.row)
  if (own.length === 0) return row
  const cells = { ...row.cells, ...Object.fromEntries(own.map(({ header, text }) => [header, text])) }
  return { ...row, cells, outcome: '', reason: null, errors: [] }
}

/** How many cells are corrected, and the buttons that have the rows checked again or discard the corrections. */
export function CorrectionBar({ corrections: { typed, isSaving, save, discard } }: { corrections: Corrections }) {
  const texts = importTexts.use()
  const language = useLanguage()
  return (
    <ChangesBar
      label={texts.corrections}
      status={texts.corrected(typed.length, count(typed.length, language))}
      action={texts.correct}
      busy={isSaving}
      onAction={save}
      onDiscard={discard}
    />
  )
}

interface Props {
  one: Import
  row: ImportRow
  nameOf: (path: string) => string
  corrections: Corrections
}

/** The cells for which a row is refused, each with the reason and a field to correct it. */
export function FaultyCells({ one, row, nameOf, corrections }: Props) {
  const labels: Readonly<Partial<Record<string, Words>>> = useLabels()
  const words = labels[one.entityType]
  const cells = Map.groupBy(row.errors, ({ path }) => headerOf(path, one, row) ?? `. ${path}`)
  return (
    <ul className={css.errors}>
      {[...cells].map(([header, errors]) => {
        const name = nameOf(one.mapping[header] ?? errors[0]?.path ?? '')
        const text = row.cells[header] ?? ''
        const faults = joinFaults(errors.map((error) => sentenceOf(inWords(error, words))))
        const isWhole = header in row.cells && !isCut(text)
        return (
          <li key={header}>
            {isWhole && corrections.isOpen ? (
              <CellField {...{ name, faults, text, corrections }} row={row.row} header={header} />
            ) : (
              <>
                <Muted small>{name}</Muted> <Quoted text={text} /> {faults}
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Whether a page of rows has only the beginning of a cell. */
const isCut = (text: string) => text.length === MAX_SHOWN_CHARS && text.endsWith('…')

interface CellProps extends Pick<Correction, 'row' | 'header' | 'text'>, Pick<Props, 'corrections'> {
  name: string
  faults: string
}

function CellField({ name, faults, text: original, row, header, corrections }: CellProps) {
  const { typed, isSaving, set } = corrections
  const correction = typed.find((each) => each.row === row && each.header === header)
  const text = correction?.text ?? original
  const props = {
    label: name,
    value: text,
    lang: guessLanguage(text),
    maxLength: MAX_CORRECTED_CHARS,
    readOnly: isSaving,
    [correction ? 'warning' : 'error']: faults,
    'data-cell': true,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ row, header, text: currentTarget.value }, original),
  }
  // A field of one line would drop line breaks.
  const isLong = original.length > MAX_LINE || original.includes('\n')
  return isLong ? <TextArea {...props} rows={2} /> : <TextField {...props} autoComplete="off" onKeyDown={toNext} />
}

/** Enter goes to the next cell, as in a spreadsheet, and from the last one to the button that saves them. */
function toNext(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
  const cells = [...document.querySelectorAll<HTMLElement>('[data-cell]')]
  cells[cells.indexOf(event.currentTarget) + 1]?.focus()
}

/** Of an error about the values of a field: the same with the words that a cell may have, and what they mean. */
function inWords(error: ImportRow['errors'][number], words?: Words) {
  const { path, code, params } = error
  const flags = words?.flags?.[path]
  if (code === 'boolean' && flags) return fieldError(path, 'oneOf', { values: [...flags] })
  if (code !== 'oneOf' || !params?.values) return error
  const labels = words?.values?.[path] ?? {}
  const values = params.values.map((value) => {
    // Cells may have a value in any case, and with spaces.
    const word = value.charAt(0) + humanize(value.slice(1)).toLowerCase()
    const label = labels[value] ?? word
    return label.toLowerCase() === word.toLowerCase() ? label : `${word}（${label}）`
  })
  return fieldError(path, code, { values })
}

/** The beginning of a refused value. */
const Quoted = ({ text }: { text: string }) =>
  text !== '' && <q lang={guessLanguage(text)}>{text.length > MAX_QUOTED ? `${beginningOf(text)}…` : text}</q>

/** Cut between characters, not within one. */
const beginningOf = (text: string) => Array.from(text).slice(0, MAX_QUOTED).join('')

/** The header of the column that gives a field, or a part of it, its value. Without a title, that of a title. */
function headerOf(path: string, { entityType: type, mapping }: Import, { kind }: ImportRow): string | undefined {
  const field = path.split('.')[2]
  const at = type === 'Translation' && kind !== null && field ? columnOf(kind, field) : path
  return Object.keys(mapping).find((header) => {
    const own = mapping[header]
    return own && (`${at}.`.startsWith(`${own}.`) || (at === 'translations' && isTitlePath(type, own)))
  })
}
