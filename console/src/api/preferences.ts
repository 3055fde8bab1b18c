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

/** `auto` is as the system says, `light` or `dark`. */
export type Theme = 'light' | 'dark' | 'auto'

const themeOf = (value: unknown): Theme => (value === 'light' || value === 'dark' ? value : 'auto')
const chosen = createStore(themeOf(theme.get()))
export const useTheme = chosen.use

export function chooseTheme(next: Theme) {
  theme.set(next)
  chosen.set(next)
}

/** Shows the chosen theme from now on, as it is chosen here or in another tab, or as the system changes. */
export function followTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const show = () => {
    const system = dark.matches ? 'dark' : 'light'
    const now = chosen.get()
    // The widget library's style sheets ask for this name.
    document.documentElement.dataset.mantineColorScheme = now === 'auto' ? system : now
  }
  show()
  chosen.subscribe(show)
  dark.addEventListener('change', show)
  addEventListener('storage', ({ key, newValue }) => key === theme.key && chosen.set(themeOf(newValue)))
}
