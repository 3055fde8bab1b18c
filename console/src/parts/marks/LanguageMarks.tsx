import { kinds, type Translated } from '@mokuroku/contract/kinds'
import { Link } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import { type LanguageState, languageStates } from '#lib/languageStates.ts'
import { site } from '#lib/site.ts'
import { enumerated, languagesOf, type Translations } from '#lib/text.ts'
import { languageName } from '#parts/titles.ts'
import css from './LanguageMarks.module.css'
import { useOpenComments, useSuspects } from './marks.tsx'

const SHAPES: Record<LanguageState, string> = { filled: '●', empty: '○', suspect: '▲' }

/** With more wanted languages, they are counted by state, because a mark for each would not fit in the row. */
const MAX_MARKS = 12

interface Props {
  kind: Translated
  row: { _id: string; translations: Translations }
}

/** The state of the wanted languages of a row (filled, empty or suspect), and the number of other languages. */
export function LanguageMarks({ kind, row: { _id, translations } }: Props) {
  const { media, marks } = useMessages()
  const locale = useLanguage()
  const { languages } = site.use()
  const codes = languagesOf(translations)
  const states = languageStates(languages, translations, kinds[kind].texts.title, useSuspects(_id))
  const others = codes.filter((code) => !languages.some((tag) => code === tag || code.startsWith(`${tag}-`)))
  return (
    <span className={css.marks}>
      {codes.length === 0 ? (
        <span>{media.noTranslations}</span>
      ) : (
        <span className="sr-only">
          {marks.into} {codes.join(' · ')}
        </span>
      )}
      {grouped(states).map(({ tags, state, label }) => {
        const names = tags.map((tag) => languageName(tag, locale))
        const sentence = marks[state](enumerated(names, locale))
        return (
          <span key={label + state} className={css.mark} data-state={state} data-language={label} title={sentence}>
            <span aria-hidden className={css.shape}>
              {SHAPES[state]}
            </span>
            <span aria-hidden>{label}</span>
            <span className="sr-only">{sentence}</span>
          </span>
        )
      })}
      {others.length > 0 && (
        <span aria-hidden title={others.join(', ')}>
          +{others.length}
        </span>
      )}
      <OpenComments kind={kind} id={_id} />
    </span>
  )
}

/** The marks: one for each language, or of many languages one for each state. */
function grouped(states: ReturnType<typeof languageStates>) {
  if (states.length <= MAX_MARKS) return states.map(({ tag, state }) => ({ tags: [tag], state, label: tag }))
  return (['filled', 'empty', 'suspect'] as const).flatMap((state) => {
    const tags = states.flatMap((each) => (each.state === state ? [each.tag] : []))
    return tags.length > 0 ? [{ tags, state, label: String(tags.length) }] : []
  })
}

/** The number of open comments, linked to them. */
function OpenComments({ kind, id }: { kind: Translated; id: string }) {
  const { marks } = useMessages()
  const count = useOpenComments(id)
  if (count === 0) return undefined
  const label = marks.comments(count)
  return (
    <Link
      to={screenOf(kind, id)}
      search={{ comments: 'open' }}
      className={css.comments}
      title={label}
      aria-label={label}
    >
      <MessageSquare size={11} aria-hidden />
      {count}
    </Link>
  )
}
