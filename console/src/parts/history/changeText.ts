import { isBlank } from '@mokuroku/contract/merge'
import type { RevisionRow } from '@mokuroku/contract/revisions'
import { type Language, useLanguage } from '#i18n/messages.ts'
import { longMoment } from '#lib/dates.ts'
import { count } from '#lib/sizes.ts'
import { capital, useLabels, type Words } from '#parts/labels.ts'
import { languageName } from '#parts/titles.ts'
import { type Difference, fieldsOf } from './differences.ts'
import type { Revised } from './revised.ts'
import { historyTexts } from './texts.ts'

/** How many names fit on a line. */
const NAMED = 3

/** Describes changes and their values in the console's language. */
export function useChangeText(revised: Pick<Revised, 'kind' | 'together'>) {
  const language = useLanguage()
  const texts = historyTexts.use()
  const { fields: labels, values, members, flags }: Words = useLabels()[revised.kind]
  const named = ({ field, language: lang }: Pick<Difference, 'field' | 'language'>) => {
    const name = labels[field] ?? field
    return lang ? texts.inLanguage(name, languageName(lang, language)) : name
  }
  const namesOf = (paths: readonly string[]) => fieldsOf(revised, paths).map(named)
  return {
    /** The fields of paths: 'title (Japanese)', 'episodes' */
    namesOf,
    /** 'Title (Japanese)' */
    labelOf: (difference: Pick<Difference, 'field' | 'language'>) => capital(named(difference)),
    /** 'title (Japanese)' inside a sentence */
    named,
    /** 'Changed title (Japanese), episodes and 2 more' */
    didWhat: ({ action, paths }: RevisionRow) => {
      if (action === 'create') return texts.created
      if (action === 'delete') return texts.deleted
      if (action === 'restore') return texts.restored
      if (action === 'purge') return texts.purged
      const fields = namesOf(paths)
      if (fields.length === 0) return texts.touched
      const rest = fields.length - NAMED
      return texts.changed(listed(rest > 0 ? [...fields.slice(0, NAMED), texts.more(rest)] : fields, language))
    },
    /** Formats a value that is neither a text nor a list of ids; '' for none. */
    valueOf: (field: string, value: unknown): string => {
      if (isBlank(value)) return ''
      if (typeof value === 'boolean') return flags?.[field]?.[Number(value)] ?? (value ? texts.yes : texts.no)
      if (typeof value === 'number') return count(value, language)
      if (typeof value !== 'string') return JSON.stringify(value)
      return MOMENT.test(value) ? longMoment(value, language) : (values?.[field]?.[value] ?? value)
    },
    /** Labels of a field's members; undefined if it has none. */
    membersOf: (field: string) => members?.[field],
  }
}

/** A date as stored in documents. */
const MOMENT = /^\d{4}-\d\d-\d\dT/

const listed = (names: string[], language: Language) =>
  new Intl.ListFormat(language, { type: 'conjunction' }).format(names)
