import type { ImportType } from '@mokuroku/contract/imports'
import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import { areaTexts, useLanguage } from '#i18n/messages.ts'
import { capital, useLabels } from './labels.ts'
import { languageName } from './titles.ts'

interface Texts {
  names: Readonly<Record<string, string>>
  inLanguage: (field: string, language: string) => string
}

const fieldTexts = areaTexts<Texts>(
  {
    names: {
      _id: 'Id of the entry (_id)',
      language: 'Language',
      version: 'Version',
      createdAt: 'Created',
      updatedAt: 'Updated',
    },
    inLanguage: (field, language) => `${field} (${language})`,
  },
  {
    names: {
      _id: '条目的 ID（_id）',
      language: '语言',
      version: '版本',
      createdAt: '创建时间',
      updatedAt: '更新时间',
    },
    inLanguage: (field, language) => `${field}（${language}）`,
  },
)

/**
 * Returns a function that names a field, or a file's column, by its path: `translations.ja.title` is "Title (Japanese)",
 * and `characters.2.age` is "Characters 3".
 */
export function useFieldNames(type: ImportType | Kind): (path: string) => string {
  const { names, inLanguage } = fieldTexts.use()
  const labels = useLabels() as Partial<Record<string, { fields: Readonly<Record<string, string>> }>>
  const language = useLanguage()
  const words = labels[type === 'Translation' ? 'Media' : type]?.fields ?? {}
  const title = type === 'Translation' ? 'title' : (kindOf(type).texts?.title ?? '')
  const wordOf = (name: string) => names[name] ?? capital(words[name] ?? name)
  return (path) => {
    const [first = '', tag = '', field = ''] = path.split('.')
    if (/^\d+$/.test(tag)) return `${wordOf(first)} ${Number(tag) + 1}`
    if (first !== 'translations' || field === '') return wordOf(first === 'translations' ? title : first)
    return inLanguage(wordOf(field), languageName(tag, language))
  }
}
