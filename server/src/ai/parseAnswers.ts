import { canonical } from '@mokuroku/contract/languageTags'
import { issueLines } from '@mokuroku/contract/issues'
import { extractJson, MediaSuggestion, StandardizedItem, SuggestedTexts } from '@mokuroku/contract/suggestion'
import { inTargets, isWrongScript } from './languages.ts'
import type { Texts } from './providers/provider.ts'

/** What an answer holds. `faults` are to be mended; `result` is what can be used of it as it is. */
export interface Parsed<Result> {
  result: Result | null
  faults: string[]
}

const NOTHING = { result: null, faults: [] }
const UNREADABLE = { result: null, faults: ['No JSON object can be read in the answer'] }

/** What a suggestion is read as. An answer without any JSON says that the topic is unknown. */
export function parseMedia(content: string): Parsed<MediaSuggestion> {
  const json = extractJson(content)
  if (json === undefined) return holdsJson(content) ? UNREADABLE : NOTHING
  const read = MediaSuggestion.safeParse(json)
  if (!read.success) return { result: null, faults: issueLines(read.error, json) }
  const { kept, faults } = withoutWrongScripts(read.data.translations)
  const hasTitle = Object.values(kept).some(({ title }) => title) || read.data.originalTitle
  return { result: hasTitle ? { ...read.data, translations: kept } : null, faults }
}

/**
 * What an enhancement is read as: texts of the fields that were asked for. A text that is empty, or in the wrong script,
 * is left out, so that it takes the place of nothing; a language that is new has all fields.
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
      // What is there already is nobody's fault.
      const isWrong = text !== (asked[tag]?.[field] ?? '') && isWrongScript(tag, text)
      if (isWrong) faults.push(wrongScript(tag, field))
      return text && !isWrong
    })
    const blank = tag in asked ? [] : fields.map((field) => [field, ''])
    if (said.length > 0) result[tag] = Object.fromEntries([...blank, ...said]) as SuggestedTexts[string]
  }
  return { result: Object.keys(result).length > 0 ? result : null, faults }
}

/**
 * What standardized items are read as, of an answer that may have been cut off. `targetsById` holds the languages of
 * each item; others are left out. `faults` are by the item's id.
 */
export function parseItems(
  content: string,
  targetsById: Map<string, string[]>,
): { result: StandardizedItem[]; faults: Map<string, string> } {
  const ids = [...targetsById.keys()]
  const json = extractJson(content)
  const items = Array.isArray(json) ? (json as unknown[]) : itemsIn(content)
  const found = new Map<string, StandardizedItem>()
  const faults = new Map(ids.map((id) => [id, 'The answer has nothing for it']))
  for (const item of items) {
    const { success, data, error } = StandardizedItem.safeParse(item)
    const id = String((item as { id?: unknown } | null)?.id)
    if (!ids.includes(id) || found.has(id)) continue
    if (!success) faults.set(id, issueLines(error, item).slice(0, 3).join('; '))
    else {
      const { kept, faults: wrong } = withoutWrongScripts(inTargets(data.translations, targetsById.get(id) ?? []))
      if (wrong.length > 0 || Object.keys(kept).length === 0) faults.set(id, wrong[0] ?? 'It has no texts')
      else {
        faults.delete(id)
        found.set(id, { ...data, translations: kept })
      }
    }
  }
  return { result: ids.flatMap((id) => found.get(id) ?? []), faults }
}

const holdsJson = (content: string): boolean => /```|[{[]\s*["{[]/.test(content)

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

const wrongScript = (tag: string, field: string): string =>
  `translations.${tag}.${field} is not written in the script of ${tag}`

/** The texts but for those that are plainly not in the script of their language. */
function withoutWrongScripts<T extends Record<string, Record<string, string>>>(translations: T) {
  const faults: string[] = []
  const kept = Object.fromEntries(
    Object.entries(translations).map(([tag, texts]) => [
      tag,
      Object.fromEntries(
        Object.entries(texts).map(([field, text]) => {
          const isWrong = isWrongScript(tag, text)
          if (isWrong) faults.push(wrongScript(tag, field))
          return [field, isWrong ? '' : text]
        }),
      ),
    ]),
  ) as T
  return { kept, faults }
}

/** The whole objects of an array that may end in the middle. */
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
