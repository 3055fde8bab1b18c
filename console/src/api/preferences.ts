import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'
import { type Language, LANGUAGES, showLanguage } from '#i18n/messages.ts'
import { createStore } from '#lib/createStore.ts'
import { localEntry } from './browserStorage.ts'

const language = localEntry('language')
const theme = localEntry('theme')
const sidebar = localEntry('sidebar')

/** Shows the language of the last visit, or the browser's. */
export function restoreLanguage() {
  const wanted = language.get() ?? (navigator.language.startsWith('zh') ? 'zh' : 'en')
  return showLanguage(wanted in LANGUAGES ? (wanted as Language) : 'en')
}

export function chooseLanguage(next: Language) {
  language.set(next)
  return showLanguage(next)
}

const collapsed = createStore(sidebar.get() === 'collapsed')
export const useCollapsed = collapsed.use

export function collapseSidebar(next: boolean) {
  sidebar.set(next ? 'collapsed' : 'expanded')
  collapsed.set(next)
}

const isTheme = (value: unknown): value is MantineColorScheme =>
  value === 'light' || value === 'dark' || value === 'auto'

/** Where Mantine keeps the chosen theme; followed in every open tab. */
export function themeMemory(): MantineColorSchemeManager {
  let follow: ((event: StorageEvent) => void) | undefined
  const unsubscribe = () => follow && removeEventListener('storage', follow)
  return {
    get: (fallback) => {
      const value = theme.get()
      return isTheme(value) ? value : fallback
    },
    set: (value) => theme.set(value),
    subscribe: (onUpdate) => {
      follow = ({ key, newValue }) => key === 'theme' && isTheme(newValue) && onUpdate(newValue)
      addEventListener('storage', follow)
    },
    unsubscribe,
    clear: () => theme.remove(),
  }
}
