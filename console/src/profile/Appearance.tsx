import { chooseLanguage, chooseTheme, type Theme, useTheme } from '#api/preferences.ts'
import { type Language, LANGUAGES, useLanguage, useMessages } from '#i18n/messages.ts'
import { Row } from '#ui/layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import css from './Appearance.module.css'

const THEMES = { light: 'light', dark: 'dark', auto: 'system' } as const

/** Theme and language of the console, in this browser. */
export function Appearance() {
  const { shell } = useMessages()
  const theme = useTheme()
  const language = useLanguage()
  const themes = Object.entries(THEMES).map(([value, name]) => ({ value, label: shell[name] }))
  const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label, lang: value }))
  return (
    <Row align="stretch" wrap className={css.choices}>
      <Segments name={shell.theme} options={themes} value={theme} onChange={(value) => chooseTheme(value as Theme)} />
      <Segments
        name={shell.language}
        options={languages}
        value={language}
        onChange={(value) => void chooseLanguage(value as Language)}
      />
    </Row>
  )
}
