import { useLanguage } from '#i18n/messages.ts'
import { type Text, translated, type Translations } from '#lib/text.ts'

/** The name of a tag in the console's language, else in any other. */
export function useNameOf() {
  const language = useLanguage()
  return ({ translations }: { translations: Translations }): Text =>
    translated(translations, 'name', language) ?? { text: '—', lang: undefined }
}
