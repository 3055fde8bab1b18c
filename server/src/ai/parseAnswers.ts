import { canonical } from '@mokuroku/contract/languageTags'
import { issueLines } from '@mokuroku/contract/issues'
import {
  extractJson,
  MediaSuggestion,
  StandardizedItem,
  SuggestedTexts,
  toPlainText,
  withoutReasoning,
} from '@mokuroku/contract/suggestion'
import { inTargets, isWrongScript } from './languages.ts'
import { isShortened } from './prompts.ts'
import type { Texts } from './providers/provider.ts'

/** A parsed answer. `faults` are errors that the model should repair; `result` is what can be used as it is. */
export interface Parsed<Result> {
  result: Result | null
  faults: string[]
}

const NOTHING = { result: null, faults: [] }
const UNREADABLE = { result: null, faults: ['No JSON object can be read in the answer'] }

/** Parses a suggestion. An answer without any JSON means that the topic is unknown. */
export function parseMedia(content: string): Parsed<MediaSuggestion> {
  const json = extractJson(content)
  if (json === undefined) return holdsJson(content) ? UNREADABLE : NOTHING
  const read = MediaSuggestion.safeParse(json)
  if (!read.success) return { result: null, faults: issueLines(read.error, json) }
  const { kept, faults } = usableTexts(read.data.translations)
  const hasTitle = Object.values(kept).some(({ title }) => title) || read.data.originalTitle
  return { result: hasTitle ? { ...read.data, translations: kept } : null, faults }
}

/**
 * Parses an enhancement: texts of the fields that were asked for. Texts that are empty or in the wrong script are left
 * out, so that they replace nothing. A new language gets all fields.
 */
export function parseTexts(content: string, asked: Texts): Parsed<SuggestedTexts> {
  const json = extractJson(content)
  if (json === undefined) return holdsJson(content) ? UNREADABLE : NOTHING
  const fields = [...new Set(Object.values(asked).flatMap((each) => Object.keys(each)))]
  const given = onlyFields('translations' in json ? json.translations : json, fields)
  const read = SuggestedTexts.safeParse(given)
  if (!read.success) return { result: null, faults: issueLines(read.error, given) }
  const faults: string[] = []
  const result: SuggestedTexts = {}
  for (const [name, texts] of Object.entries(read.data)) {
    const tag = canonical(name) ?? name
    const said = Object.entries(texts).filter(([field, text]) => {
      const isWrong = isFaulty(tag, field, text, asked)
      if (isWrong) faults.push(wrongScript(tag, field))
      return text && !isWrong && !losesEnd(text, asked[tag]?.[field])
    })
    const blank = tag in asked ? [] : fields.map((field) => [field, ''])
    if (said.length > 0) result[tag] = Object.fromEntries([...blank, ...said]) as SuggestedTexts[string]
  }
  return { result: Object.keys(result).length > 0 ? result : null, faults }
}

/**
 * Parses standardized items, even from a truncated answer. `targetsById` holds the languages and the texts of each
 * item; texts in other languages are left out. `faults` are by item id.
 */
export function parseItems(
  content: string,
  targetsById: Map<string, { languages: string[]; translations: Texts }>,
): { result: StandardizedItem[]; faults: Map<string, string> } {
  const ids = [...targetsById.keys()]
  const json = extractJson(content)
  const items = Array.isArray(json) ? (json as unknown[]) : itemsIn(withoutReasoning(content))
  const found = new Map<string, StandardizedItem>()
  const faults = new Map(ids.map((id) => [id, 'The answer has nothing for it']))
  for (const item of items) {
    const { success, data, error } = StandardizedItem.safeParse(item)
    const { id } = (item ?? {}) as { id?: unknown }
    if (typeof id !== 'string' || !ids.includes(id) || found.has(id)) continue
    if (!success) faults.set(id, issueLines(error, item).slice(0, 3).join('; '))
    else {
      const { languages = [], translations } = targetsById.get(id) ?? {}
      const { kept, faults: wrong } = usableTexts(inTargets(data.translations, languages), translations)
      if (wrong.length > 0 || Object.keys(kept).length === 0) faults.set(id, wrong[0] ?? 'It has no texts')
      else {
        faults.delete(id)
        found.set(id, { ...data, translations: kept })
      }
    }
  }
  return { result: ids.flatMap((id) => found.get(id) ?? []), faults }
}

const holdsJson = (content: string): boolean => /```|[{[]\s*["{[]/.test(withoutReasoning(content))

const onlyFields = (json: unknown, fields: string[]): unknown =>
  typeof json !== 'object' || json === null
    ? json
    : Object.fromEntries(
        Object.entries(json).map(([tag, texts]: [string, unknown]) => [
          tag,
          typeof texts === 'object' && texts !== null
            ? Object.fromEntries(Object.entries(texts).filter(([field]) => fields.includes(field)))
            : texts,
        ]),
      )

/** Whether a text is in the wrong script. One that was sent like this, apart from markup, is not the model's fault. */
const isFaulty = (tag: string, field: string, text: string, asked: Texts): boolean =>
  isWrongScript(tag, text) && text !== toPlainText(asked[tag]?.[field] ?? '')

/** Whether a text would replace one of which the model got only the beginning. */
const losesEnd = (text: string, current: string | null | undefined): boolean =>
  isShortened(current ?? '') && text !== toPlainText(current ?? '')

const wrongScript = (tag: string, field: string): string =>
  `translations.${tag}.${field} is not written in the script of ${tag}`

/** Leaves out texts that are clearly not in the script of their language, or without the end of the current text. */
function usableTexts<T extends Record<string, Record<string, string>>>(translations: T, asked: Texts = {}) {
  const faults: string[] = []
  const kept = Object.fromEntries(
    Object.entries(translations).map(([tag, texts]) => [
      tag,
      Object.fromEntries(
        Object.entries(texts).map(([field, text]) => {
          const isWrong = isFaulty(tag, field, text, asked)
          if (isWrong) faults.push(wrongScript(tag, field))
          return [field, isWrong || losesEnd(text, asked[tag]?.[field]) ? '' : text]
        }),
      ),
    ]),
  ) as T
  return { kept, faults }
}

/** The complete objects of a JSON array that may be truncated. */
function itemsIn(content: string): unknown[] {
  const items: unknown[] = []
  let [depth, start, inText] = [0, -1, false]
  for (let at = content.search(/\[\s*\{/); at >= 0 && at < content.length; at++) {
    const char = content[at]
    if (inText) {
      if (char === '\\') at++
      else if (char === '"') inText = false
    } else if (char === '"') inText = true
    else if (char === '{' && depth++ === 0) start = at
    else if (char === '}' && --depth === 0) items.push(...parsed(content.slice(start, at + 1)))
  }
  return items
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text) as unknown]
  } catch {
    return []
  }
}
