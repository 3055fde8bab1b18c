import { kinds, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { type Hit, searchApi } from '@mokuroku/contract/search'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { q } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { guessLanguage } from '#lib/text.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { AREAS, screenOf } from '#lib/areas.ts'
import { Cover } from '#parts/Cover.tsx'
import { mediaTypes } from '#parts/mediaTypes.ts'
import { languageName, nameOfHit } from '#parts/titles.ts'
import type { Choice, Group } from './useCommands.ts'
import { Truncate } from '#ui/layout.tsx'

const SHOWN = 5

/** Searches the indexes of all kinds with texts in parallel; an empty text finds nothing. */
export function useSearchResults(text: string): {
  groups: Group[]
  busy: boolean
  isWaiting: boolean
  note: string | undefined
} {
  const { nav, search } = useMessages()
  const language = useLanguage()
  const types = mediaTypes.use()
  const wanted = useDebounced(text.trim())
  const isEnabled = Boolean(wanted && text.trim())
  const answers = useQueries({
    queries: TRANSLATED_KINDS.map((kind) => ({
      ...q(searchApi.search, { query: { q: wanted, indexName: kinds[kind].plural, limit: 10 } }),
      enabled: isEnabled,
      placeholderData: keepPreviousData,
      meta: { quiet: true },
    })),
  })
  // The results on screen are not yet those for the text.
  const isWaiting =
    text.trim() !== '' &&
    (wanted !== text.trim() || answers.some(({ isFetching, isPlaceholderData }) => isFetching || isPlaceholderData))
  if (!isEnabled) return { groups: [], busy: Boolean(text.trim()), isWaiting, note: undefined }
  const groups = TRANSLATED_KINDS.map((kind, place) => ({
    name: nav[kind],
    choices: (answers[place]?.data?.hits ?? [])
      .slice(0, SHOWN)
      .map((hit) => asChoice(hit, kind, { language, original: search.original, types })),
  }))
  const note = answers.every(({ isError }) => isError)
    ? search.failed
    : answers.some(({ data }) => data?.status === 'indexing')
      ? search.indexing
      : undefined
  return { groups, busy: answers.some(({ isFetching }) => isFetching), isWaiting, note }
}

/** The release year, which tells seasons of the same name apart. */
const yearOf = ({ releaseDate = '' }: Hit): string => releaseDate.slice(0, 4)

function asChoice(
  hit: Hit,
  kind: Translated,
  { language, original, types }: { language: string; original: string; types: Readonly<Record<string, string>> },
): Choice {
  const facts = [types[hit.mediaType ?? ''], yearOf(hit)].filter(Boolean).join(' · ')
  const name = nameOfHit(hit, language)
  const { text, language: matched } = hit.match
  return {
    key: hit._id,
    icon: AREAS[kind].icon,
    name: name?.text ?? hit._id,
    lang: name?.lang,
    to: screenOf(kind, hit._id),
    hint:
      text && text !== name?.text ? (
        <>
          <Truncate lang={matched || guessLanguage(text)}>{text}</Truncate>
          {' · '}
          {matched ? languageName(matched, language) : original}
          {facts && ` · ${facts}`}
        </>
      ) : (
        facts || (name?.lang && (name.lang in hit.translations ? languageName(name.lang, language) : original))
      ),
    cover: hit.cover && <Cover cover={hit.cover} entity={hit} size="row" />,
  }
}
