import { createStore } from '#lib/createStore.ts'
import { en, type Messages } from './en.ts'

export const LANGUAGES = { en: 'English', zh: '简体中文' } as const
export type Language = keyof typeof LANGUAGES

/** Letters of the scripts that are written from right to left, above all Hebrew and Arabic. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/

const isolated = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(isolated)
  return typeof value === 'string' && RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value
}

/**
 * Texts whose interpolated words are isolated if they are written from right to left (Unicode's FSI and PDI): otherwise
 * “Resolved by שירה, 12 May” would show 12 as part of the name.
 */
function isolating<Texts>(texts: Texts): Texts
function isolating(texts: unknown) {
  if (typeof texts === 'function') return (...words: unknown[]) => texts(...words.map(isolated)) as unknown
  if (texts?.constructor !== Object) return texts
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, isolating(text)]))
}

const current = createStore<{ language: Language; messages: Messages }>({ language: 'en', messages: isolating(en) })

/** The texts in the console's language. */
export const useMessages = () => current.use().messages

/** The console's language, in which translated texts and dates are also shown. */
export const useLanguage = () => current.use().language

/** As `useMessages`, for code outside React. */
export const messages = () => current.get().messages

/** Loads a language's texts and shows them; api/preferences.ts remembers the choice. */
export async function showLanguage(language: Language) {
  const texts = language === 'zh' ? (await import('./zh.ts')).zh : en
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en'
  current.set({ language, messages: isolating(texts) })
}

/**
 * The texts of one area, loaded with its screens: the English ones, and the Chinese ones with the same keys. `use` is
 * for components, `get` for code outside React, `in` for callers that have the language already.
 */
export function areaTexts<Texts>(english: Texts, chinese: NoInfer<Texts>) {
  const texts: Record<Language, Texts> = { en: isolating(english), zh: isolating<Texts>(chinese) }
  const textsIn = (language: Language) => texts[language]
  return { in: textsIn, use: () => textsIn(current.use().language), get: () => textsIn(current.get().language) }
}
