import type { Hit } from '@mokuroku/contract/search'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import type { Text } from '#lib/text.ts'
import { Stack, Truncate } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Cover } from './Cover.tsx'
import { mediaTypes } from './mediaTypes.ts'
import css from './Suggestion.module.css'
import { languageName, nameOfHit, original } from './titles.ts'

/** Returns a function that tells entries of the same name apart: 'Novel · 1914'. */
export function useFactsOf() {
  const types: Readonly<Record<string, string>> = mediaTypes.use()
  return ({ mediaType, releaseDate }: Choice) =>
    [mediaType && (types[mediaType] ?? mediaType), releaseDate?.slice(0, 4)].filter(Boolean).join(' · ')
}

export type Choice = Omit<Hit, 'match'> & Partial<Pick<Hit, 'match'>>

/**
 * A suggestion: cover (unless `plain`) and title; below them the matched text with its language, if it differs from the
 * title.
 */
export function Suggestion({ choice, plain }: { choice: Choice; plain: boolean }) {
  const { search, media } = useMessages()
  const language = useLanguage()
  const { cover, match } = choice
  const published = original(choice.originalTitle)
  const shown = nameOfHit(choice, language)
  const facts = useFactsOf()(choice)
  const matched = match && { text: match.text, lang: match.language || published?.lang }
  const below = matched && matched.text !== shown?.text ? matched : published
  return (
    <span className={css.suggestion}>
      {!plain && <Cover cover={cover} entity={choice} size="row" />}
      <Stack as="span" className={css.texts}>
        <Line text={shown} className={css.title} />
        {below && below.text !== shown?.text && <Line text={below} className={css.below} />}
      </Stack>
      <span className={css.hints}>
        {facts && <span>{facts}</span>}
        {below === matched && match && (
          <span>{match.language ? media.foundIn(languageName(match.language, language)) : search.original}</span>
        )}
      </span>
    </span>
  )
}

const Line = ({ text, className }: { text: Text | undefined; className: string | undefined }) => (
  <Truncate className={className} lang={text?.lang}>
    {text?.text}
  </Truncate>
)

export function SuggestionSkeleton() {
  return [0, 1, 2].map((line) => (
    <span key={line} className={`${css.suggestion} ${css.skeleton}`}>
      <Skeleton width={32} height={44} />
      <Skeleton width={`${60 - line * 10}%`} />
    </span>
  ))
}
