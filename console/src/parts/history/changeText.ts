import type { RevisionRow } from '@mokuroku/contract/revisions'
import { type Language, type messages, useLanguage, useMessages } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { count } from '#lib/sizes.ts'
import { languageName } from '#parts/titles.ts'
import { type Difference, fieldsOf } from './differences.ts'
import { capital, historyTexts } from './texts.ts'

/** As many as fit on a line. */
const NAMED = 3

/** Changes and their values in plain words of the console's language. */
export function useChangeText() {
  const language = useLanguage()
  const texts = historyTexts.use()
  const values = { ...valuesOf(useMessages()), ...texts.values }
  const named = ({ field, language: of }: Pick<Difference, 'field' | 'language'>) => {
    const name = texts.fields[field] ?? field
    return of ? texts.inLanguage(name, languageName(of, language)) : name
  }
  return {
    /** 'Title (Japanese)' */
    labelOf: (difference: Pick<Difference, 'field' | 'language'>) => capital(named(difference)),
    /** 'title (Japanese)' inside a sentence */
    named,
    /** 'Changed title (Japanese), episodes and 2 more' */
    didWhat: ({ action, entityType, paths }: RevisionRow) => {
      if (action === 'create') return texts.created
      if (action === 'delete') return texts.deleted
      if (action === 'restore') return texts.restored
      if (action === 'purge') return texts.purged
      const fields = fieldsOf(entityType, paths).map(named)
      if (fields.length === 0) return texts.touched
      const rest = fields.length - NAMED
      return texts.changed(listed(rest > 0 ? [...fields.slice(0, NAMED), texts.more(rest)] : fields, language))
    },
    /** A value that is neither a text nor a list of ids; '' for none. */
    valueOf: (field: string, value: unknown): string => {
      if (value === undefined || value === null || value === '') return ''
      if (typeof value === 'boolean') return texts.flags[field]?.[Number(value)] ?? (value ? texts.yes : texts.no)
      if (typeof value === 'number') return count(value, language)
      if (field === 'releaseDate' && typeof value === 'string') return longDate(value, language, 'UTC')
      if (typeof value === 'string') return CHOICES.has(field) ? (values[value] ?? value) : value
      return JSON.stringify(value)
    },
    capability: (flag: string) => texts.capabilities[flag] ?? flag,
  }
}

/** Fields whose texts are one of a few. */
const CHOICES = new Set(['mediaType', 'type', 'status', 'role'])

const valuesOf = ({ media, tags }: ReturnType<typeof messages>): Record<string, string> => ({
  ...media.types,
  ...tags.types,
  ...tags.statuses,
})

const listed = (names: string[], language: Language) =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
