import type { FieldError as Refused } from '@mokuroku/contract/call'
import { sentenceOf } from '#i18n/errors.ts'
import { type Fields, placeOf, type ParseResult, valueAt } from '#lib/editorText.ts'
import { parsed, spanAt } from '#parts/jsonEditor/place.ts'
import { syntaxFault } from '#parts/jsonEditor/syntaxFault.ts'
import type { Problem } from './Problems.tsx'
import type { EditorTexts } from './texts.ts'

/** A field error from the server, with the value that was rejected: it no longer applies once the value is changed. */
export interface Fault extends Refused {
  was: string
}

/** The heading and lines for the problems of a text; the heading is empty if there are none. */
export function problemsOf(text: string, reading: ParseResult, faults: readonly Fault[], texts: EditorTexts) {
  const { state } = reading
  if (state === 'empty' || state === 'format') return { title: texts.problems[state], problems: [] }
  if (state === 'syntax') {
    const { line, column, misfit, ...span } = syntaxFault(text)
    const title = texts.problems.syntax
    const why = misfit && texts.misfits[misfit]
    const place = texts.line(line, column)
    return { title, problems: [{ ...span, place: [], message: why ?? title, line: why ? `${place}: ${why}` : place }] }
  }
  const tree = parsed(text)
  const wrong = [
    ...reading.flaws,
    ...(state === 'read' ? faults.filter((fault) => stillApplies(fault, reading.value)) : []).map((fault) => ({
      ...fault,
      place: placeOf(fault.path),
    })),
  ]
  const problems = wrong.map(({ place, ...fault }): Problem => {
    const { path } = fault
    const message = sentenceOf(fault)
    return { ...spanAt(text, place, tree), place, message, line: path ? `${path}: ${message}` : message }
  })
  return { title: problems.length > 0 ? texts.problems.schema : '', problems }
}

export const faultOf = (fault: Refused, sent: Fields): Fault => ({
  ...fault,
  was: JSON.stringify(valueAt(sent, placeOf(fault.path))) ?? '',
})

const stillApplies = ({ path, was }: Fault, value: Fields) =>
  (JSON.stringify(valueAt(value, placeOf(path))) ?? '') === was
