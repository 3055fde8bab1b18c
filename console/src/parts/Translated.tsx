import { useLanguage } from '#i18n/messages.ts'
import { translated, type Translations } from '#lib/text.ts'

interface Props {
  translations: Translations
  field: string
}

/** A text from the catalogue in the console's language, with the `lang` of the language it was found in. */
export function Translated({ translations, field }: Props) {
  const found = translated(translations, field, useLanguage())
  return <span lang={found?.lang}>{found?.text}</span>
}
