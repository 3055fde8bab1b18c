import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'
import zhCN from 'zod/v4/locales/zh-CN.js'
import type { Messages } from '#i18n/en.ts'
import type { Language } from '#i18n/messages.ts'
import { type Fields, placeOf, type Reading, readText, valueAt } from '#lib/editorText.ts'
import { parsed, spanAt } from '#parts/jsonEditor/place.ts'
import { syntaxFault } from '#parts/jsonEditor/syntaxFault.ts'
import type { Problem } from './Problems.tsx'

const LOCALES: Record<Language, typeof en> = { en, zh: zhCN }

/** What the server found wrong with a value, and that value: once it is another, the fault is no longer known. */
export interface Fault {
  path: string
  message: string
  was: string
}

/** Reads the text; what is wrong is said in the console's language. */
export function check(text: string, schema: z.ZodMiniType, language: Language): Reading {
  z.config(LOCALES[language]())
  return readText(text, schema)
}

/** The heading and the lines of what is wrong with a text; an empty heading when nothing is. */
export function problemsOf(text: string, reading: Reading, faults: readonly Fault[], texts: Messages['editor']) {
  const { state } = reading
  if (state === 'empty' || state === 'format') return { title: texts.problems[state], problems: [] }
  if (state === 'syntax') {
    const { line, column, misfit, ...span } = syntaxFault(text)
    const title = texts.problems.syntax
    const why = misfit && texts.misfits[misfit]
    const place = texts.line(line, column)
    return { title, problems: [{ ...span, message: why ?? title, line: why ? `${place}: ${why}` : place }] }
  }
  const tree = parsed(text)
  const wrong = [
    ...reading.flaws,
    ...(state === 'read' ? faults.filter((fault) => stands(fault, reading.value)) : []).map(({ path, message }) => ({
      path,
      message,
      place: placeOf(path),
    })),
  ]
  const problems = wrong.map(({ path, place, message: said }): Problem => {
    const message = texts.faults[said] ?? said
    return { ...spanAt(text, place, tree), message, line: path ? `${path}: ${message}` : message }
  })
  return { title: problems.length > 0 ? texts.problems.schema : '', problems }
}

export const faultOf = ({ path, message }: { path: string; message: string }, sent: Fields): Fault => ({
  path,
  message,
  was: JSON.stringify(valueAt(sent, placeOf(path))) ?? '',
})

const stands = ({ path, was }: Fault, value: Fields) => (JSON.stringify(valueAt(value, placeOf(path))) ?? '') === was
