import { useLanguage } from '#i18n/messages.ts'
import { languagesOf, type Translations, translated } from '#lib/text.ts'
import { Muted, Stack } from '#ui/layout.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import css from './Languages.module.css'
import { languageName } from './titles.ts'

interface Props {
  translations: Translations
  /** The field with the entity's name. */
  field: 'title' | 'name'
  texts: { languages: string; noTexts: string; noDescription: string }
}

/** Tabs with the texts of each language that has any; the console's own language is selected first. */
export function Languages({ translations, field, texts }: Props) {
  const language = useLanguage()
  const codes = languagesOf(translations)
  if (codes.length === 0)
    return (
      <Muted as="p" inline>
        {texts.noTexts}
      </Muted>
    )
  const tabs = codes.map((code) => {
    const { [field]: name, description } = translations[code] ?? {}
    return {
      key: code,
      label: languageName(code, language),
      panel: (
        <Stack lang={code} gap={2} className={css.text}>
          <p className={css.name}>{name}</p>
          {description ? (
            <p className={css.description}>{description}</p>
          ) : (
            <Muted as="p" inline lang={language}>
              {texts.noDescription}
            </Muted>
          )}
        </Stack>
      ),
    }
  })
  const first = translated(translations, field, language) ?? translated(translations, 'description', language)
  return <Tabs label={texts.languages} tabs={tabs} first={first?.lang} />
}
