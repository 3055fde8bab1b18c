import { type Hit, searchApi } from '@mokuroku/contract/search'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { q } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { translated, guessLanguage } from '#lib/text.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { NAV } from '../nav.ts'
import type { Choice, Group } from './useCommands.ts'

const INDEXES = ['media', 'characters', 'tags'] as const
const SHOWN = 5

/** What the catalogue holds for the text, in the three indexes at once; an empty text finds nothing. */
export function useSearchResults(text: string): {
  groups: Group[]
  busy: boolean
  isWaiting: boolean
  note: string | undefined
} {
  const { nav, palette } = useMessages()
  const language = useLanguage()
  const wanted = useDebounced(text.trim())
  const asked = Boolean(wanted && text.trim())
  const answers = useQueries({
    queries: INDEXES.map((indexName) => ({
      ...q(searchApi.search, { query: { q: wanted, indexName, limit: 10 } }),
      enabled: asked,
      placeholderData: keepPreviousData,
      meta: { quiet: true },
    })),
  })
  // What stands there is not yet what was found for the text.
  const isWaiting =
    text.trim() !== '' &&
    (wanted !== text.trim() || answers.some(({ isFetching, isPlaceholderData }) => isFetching || isPlaceholderData))
  if (!asked) return { groups: [], busy: Boolean(text.trim()), isWaiting, note: undefined }
  const groups = INDEXES.map((index, place) => ({
    name: nav[index],
    choices: (answers[place]?.data?.hits ?? [])
      .slice(0, SHOWN)
      .map((hit) => asChoice(hit, index, language, palette.original)),
  }))
  const note = answers.every(({ isError }) => isError)
    ? palette.failed
    : answers.some(({ data }) => data?.status === 'indexing')
      ? palette.indexing
      : undefined
  return { groups, busy: answers.some(({ isFetching }) => isFetching), isWaiting, note }
}

function asChoice(hit: Hit, index: (typeof INDEXES)[number], language: string, original: string): Choice {
  const field = index === 'media' ? 'title' : 'name'
  const name = translated(hit.translations, field, language)
  const { text, language: matched } = hit.match
  return {
    key: hit._id,
    icon: NAV.find(({ to }) => to === `/${index}`)?.icon ?? NAV[0].icon,
    name: name?.text ?? hit.originalTitle ?? hit._id,
    lang: name?.lang,
    // A tag has no screen but its editor.
    to: index === 'tags' ? `/tags/${hit._id}/edit` : `/${index}/${hit._id}`,
    hint:
      text && text !== name?.text ? (
        <>
          <span lang={matched || guessLanguage(text)}>{text}</span> · {matched || original}
        </>
      ) : (
        name?.lang
      ),
  }
}
