import { createStore } from '#lib/createStore.ts'
import { en, type Messages } from './en.ts'

export const LANGUAGES = { en: 'English', zh: '简体中文' } as const
export type Language = keyof typeof LANGUAGES

const current = createStore<{ language: Language; messages: Messages }>({ language: 'en', messages: en })

/** The texts of the console's language. */
export const useMessages = () => current.use().messages

/** The console's language: also the one in which translated texts and dates are shown. */
export const useLanguage = () => current.use().language

/** The texts for what is outside React. */
export const messages = () => current.get().messages

/** Loads a language's texts and shows them; they are remembered by api/preferences.ts. */
export async function showLanguage(language: Language) {
  const texts = language === 'zh' ? (await import('./zh.ts')).zh : en
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : 'en'
  current.set({ language, messages: texts })
}

/**
 * The texts of one area, which come with its screens and not before: the English ones, then the Chinese ones with the
 * same keys. `use` is for components, `now` for what is outside React, `of` for who has the language already.
 */
export function areaTexts<Texts>(english: Texts, chinese: NoInfer<Texts>) {
  const of = (language: Language) => (language === 'zh' ? chinese : english)
  return { of, use: () => of(current.use().language), now: () => of(current.get().language) }
}
