import type { SampleTag } from './types.ts'

type Texts = { en: Text; zh: Text; ja: Text }
type Text = [name: string, description: string]
type More = Partial<Pick<SampleTag, 'parentTag' | 'icon' | 'status'>>

/** A tag as its file writes it: texts by language, and only what is unusual of the rest. */
export function tag(type: SampleTag['type'], key: string, color: string, texts: Texts, more: More = {}) {
  const translations = Object.fromEntries(
    Object.entries(texts).map(([language, [name, description]]) => [language, { name, description }]),
  )
  return { key, type, color, translations, icon: null, parentTag: null, status: 'ACTIVE' as const, ...more }
}

/** A tag below `parentTag`, whose key it extends; its name says everything. */
export const part = (
  parentTag: string,
  name: string,
  color: string,
  [en, zh, ja]: readonly [string, string, string],
  icon: string | null = null,
) => tag('CUSTOM', `${parentTag}:${name}`, color, { en: [en, ''], zh: [zh, ''], ja: [ja, ''] }, { parentTag, icon })
