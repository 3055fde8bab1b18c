import type { FindingCode } from '@mokuroku/contract/findings'
import { tagsApi } from '@mokuroku/contract/tags'
import { usersApi } from '@mokuroku/contract/users'
import { useQueries, useQuery } from '@tanstack/react-query'
import { q } from '#api/query.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDate } from '#lib/dates.ts'
import { dayOf, lastDayOf } from '#lib/days.ts'
import { enumerated, translated } from '#lib/text.ts'
import { languageName } from '#parts/titles.ts'
import type { FilterName, ListState } from './filters.ts'
import { filterTexts } from './texts.ts'

/** A filter in words. Until the name of a tag or user has loaded, it is an ellipsis; if there is none, it says why. */
export function useFilterText(name: FilterName, state: ListState): string {
  const texts = filterTexts.use()
  const locale = useLanguage()
  const tags = useTagNames(name === 'tags' ? (state.tags ?? '') : '')
  const user = useUserName(name === 'createdBy' || name === 'deletedBy' ? state[name] : undefined)
  const inLanguage = (tag = '') => languageName(tag, locale)
  switch (name) {
    case 'finding':
      return findingText(state.finding ?? '', texts, inLanguage)
    case 'missing':
      return texts.missingIn(inLanguage(state.missing))
    case 'language':
      return texts.hasLanguage(inLanguage(state.language))
    case 'tags':
      return texts.tagged[state.tagsMode ?? 'any'](tags)
    case 'hasCover':
      return state.hasCover ? texts.withCover : texts.withoutCover
    case 'days':
      return rangeText(texts.released, state.from ?? '', state.to ?? '', locale)
    case 'ratingMin':
      return texts.rated(String(state.ratingMin))
    case 'createdBy':
      return texts.createdBy(user)
    case 'updatedSince':
      return texts.since(longDate(state.updatedSince ?? '', locale))
    case 'deletedBy':
      return texts.deletedBy(user)
    case 'deleted':
      return rangeText(texts.deleted, dayOf(state.deletedFrom), lastDayOf(state.deletedTo), locale)
  }
}

type Texts = ReturnType<typeof filterTexts.use>

function findingText(finding: string, texts: Texts, inLanguage: (tag: string) => string): string {
  const [code = '', language] = finding.split(':')
  const named = texts.findings[code as FindingCode] ?? code
  return language ? texts.inLanguage(named, inLanguage(language)) : named
}

/** A range of days in words, one of which may be missing. */
function rangeText({ between, after, before }: Texts['released'], from: string, to: string, locale: string): string {
  const day = (text: string) => longDate(text, locale, 'UTC')
  if (from && to) return between(day(from), day(to))
  return from ? after(day(from)) : before(day(to))
}

/** The names of tags, given their ids, both comma-separated; as `useFilterText` shows them. */
export function useTagNames(tags: string): string {
  const texts = filterTexts.use()
  const locale = useLanguage()
  return useQueries({
    queries: tags
      .split(',')
      .filter(Boolean)
      .map((id) => ({ ...q(tagsApi.find, { id }), meta: { quiet: true } })),
    combine: (found) => {
      const names = found.map(({ data, error }) =>
        data ? translated(data.translations, 'name', locale)?.text : withoutName(error, texts.deletedTag, texts),
      )
      return enumerated(
        names.map((name) => name ?? '…'),
        locale,
      )
    },
  })
}

function useUserName(id: string | undefined): string {
  const texts = filterTexts.use()
  const { data, error } = useQuery({
    ...q(usersApi.find, { id: id ?? '' }),
    enabled: id !== undefined,
    meta: { quiet: true },
  })
  return data?.username ?? withoutName(error, texts.deletedUser, texts) ?? '…'
}

/** What is shown for a name that failed to load, if it did. */
const withoutName = (error: Error | null, deleted: string, { unnamed }: Texts) =>
  error ? (isNotFound(error) ? deleted : unnamed) : undefined
