import { type Language, LANGUAGES, showLanguage } from '#i18n/messages.ts'
import { createStore } from '#lib/createStore.ts'
import { localEntry } from './browserStorage.ts'

const language = localEntry('language')
const theme = localEntry('theme')
const sidebar = localEntry('sidebar')

/** Restores the language of the last visit, or else uses the browser's. */
export function restoreLanguage() {
  return showLanguage([language.get(), navigator.language.split('-')[0]].find(isLanguage) ?? 'en')
}

const isLanguage = (tag: string | null | undefined): tag is Language => tag != null && Object.hasOwn(LANGUAGES, tag)

/** Shows the language that is chosen in another tab. */
export function followLanguage() {
  addEventListener('storage', ({ key }) => key === language.key && void restoreLanguage())
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

/** `auto` follows the system's setting. */
export type Theme = 'light' | 'dark' | 'auto'

const themeOf = (value: unknown): Theme => (value === 'light' || value === 'dark' ? value : 'auto')
const chosen = createStore(themeOf(theme.get()))
export const useTheme = chosen.use

export function chooseTheme(next: Theme) {
  theme.set(next)
  chosen.set(next)
}

/** Applies the theme now, and whenever it is changed here, in another tab, or by the system. */
export function followTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    const system = dark.matches ? 'dark' : 'light'
    const now = chosen.get()
    // Mantine's style sheets read this attribute.
    document.documentElement.dataset.mantineColorScheme = now === 'auto' ? system : now
  }
  show()
  chosen.subscribe(show)
  dark.addEventListener('change', show)
  addEventListener('storage', ({ key, newValue }) => key === theme.key && chosen.set(themeOf(newValue)))
}
