import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core'
import { chooseLanguage } from '#api/preferences.ts'
import { type Language, LANGUAGES, useLanguage, useMessages } from '#i18n/messages.ts'
import { Row } from '#ui/layout.tsx'
import css from './Appearance.module.css'

const THEMES = { light: 'light', dark: 'dark', auto: 'system' } as const

/** Theme and language of the console, in this browser. */
export function Appearance() {
  const { shell } = useMessages()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const language = useLanguage()
  const themes = Object.entries(THEMES).map(([value, name]) => ({ value, label: shell[name] }))
  const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label, lang: value }))
  return (
    <Row align="stretch" wrap className={css.choices}>
      <Choice
        name={shell.theme}
        options={themes}
        value={colorScheme}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
      />
      <Choice
        name={shell.language}
        options={languages}
        value={language}
        onChange={(value) => void chooseLanguage(value as Language)}
      />
    </Row>
  )
}

interface ChoiceProps {
  name: string
  options: { value: string; label: string; lang?: string }[]
  value: string
  onChange: (value: string) => void
}

/** One of a few, all of them in sight. */
function Choice({ name, options, value, onChange }: ChoiceProps) {
  return (
    <fieldset className={css.choice}>
      <legend className={css.name}>{name}</legend>
      <div className={css.options}>
        {options.map((option) => (
          <Row as="label" key={option.value} className={css.option} lang={option.lang}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </Row>
        ))}
      </div>
    </fieldset>
  )
}
