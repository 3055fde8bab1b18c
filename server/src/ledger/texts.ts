import type { Label } from './definition.ts'

type Translations<Field extends string> = Record<string, Record<Field, string>>

/** A text in English, else in any language that has it, else `otherwise` (docs/behaviour.md#languages). */
export const titleOf = <Field extends string>(
  translations: Translations<Field>,
  field: Field,
  otherwise = '',
): string => translations.en?.[field] || Object.values(translations).find((texts) => texts[field])?.[field] || otherwise

/** What search finds an entity by: its original title under '', and its name in every language. */
export const labelsOf = <Field extends string>(
  translations: Translations<Field>,
  field: Field,
  original = '',
): Label[] => [
  { language: '', text: original },
  ...Object.entries(translations).map(([language, texts]) => ({ language, text: texts[field] })),
]

/** What search finds an account by: its name under '', and its address, which not everybody may know of. */
export const labelsOfUser = ({ username, email }: { username: string; email: string }): Label[] => [
  { language: '', text: username },
  { language: 'email', text: email },
]
