import { FileUp, Keyboard, LogOut, type LucideIcon, Monitor, Moon, Plus, Sun, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { chooseTheme } from '#api/preferences.ts'
import { useMe } from '#api/session.ts'
import { signOut } from '#api/signIn.ts'
import { en } from '#i18n/en.ts'
import { useMessages } from '#i18n/messages.ts'
import { AREAS, kindsOf } from '#lib/areas.ts'
import { navOf } from '../nav.ts'
import { paletteTexts } from './paletteTexts.ts'

export interface Choice {
  key: string
  icon: LucideIcon
  name: string
  /** Language of the name, if it comes from the catalogue. */
  lang?: string | undefined
  hint?: ReactNode
  /** Shown instead of the icon. */
  cover?: ReactNode
  to?: string
  act?: () => void
}

export interface Group {
  name: string
  choices: Choice[]
  /** Whether a choice has exactly the typed name. */
  isExact?: boolean
}

/** The screens and actions whose name contains all words of the text, in the console's language or in English. */
export function useCommands(text: string, onKeys: () => void): Group[] {
  const { kinds, nav, shell } = useMessages()
  const palette = paletteTexts.use()
  const { role } = useMe()
  const typed = text.trim().toLowerCase()
  const words = typed.split(/\s+/)
  const fits = (...names: string[]) => names.some((name) => words.every((word) => name.toLowerCase().includes(word)))
  const screens = navOf(role)
    .map(({ to, name, icon }) => ({ key: to, icon, name: nav[name], english: en.nav[name], to }))
    .concat(
      { key: '/trash', icon: Trash2, name: shell.trash, english: en.shell.trash, to: '/trash' },
      { key: '/import', icon: FileUp, name: shell.import, english: en.shell.import, to: '/import' },
    )
    .filter(({ name, english }) => fits(name, english))
  const actions: (Choice & { english: string })[] = [
    ...kindsOf('catalogue').flatMap((kind) => {
      const { add: name } = kinds[kind]
      return name
        ? { key: kind, icon: Plus, name, english: en.kinds[kind].add ?? '', to: `${AREAS[kind].path}/new` }
        : []
    }),
    ...(
      [
        ['light', 'light', Sun],
        ['dark', 'dark', Moon],
        ['auto', 'system', Monitor],
      ] as const
    ).map(([scheme, name, icon]) => ({
      key: scheme,
      icon,
      name: palette.themeIs(shell[name]),
      english: paletteTexts.in('en').themeIs(en.shell[name]),
      act: () => chooseTheme(scheme),
    })),
    { key: 'keys', icon: Keyboard, name: palette.keys, english: paletteTexts.in('en').keys, act: onKeys },
    { key: 'out', icon: LogOut, name: shell.signOut, english: en.shell.signOut, act: signOut },
  ]
  return [
    {
      name: palette.screens,
      choices: screens,
      isExact: screens.some(({ name, english }) => [name, english].some((each) => each.toLowerCase() === typed)),
    },
    { name: palette.actions, choices: actions.filter(({ name, english }) => fits(name, english)) },
  ]
}
