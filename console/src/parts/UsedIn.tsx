import type { Uses } from '@mokuroku/contract/uses'
import type { UseQueryResult } from '@tanstack/react-query'
import { useLanguage } from '#i18n/messages.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { NAMELESS, nameOfEntity } from './titles.ts'
import css from './UsedIn.module.css'
import { usesTexts } from './usesTexts.ts'

/** How many uses are named, to keep the question short. */
const NAMED = 5

interface Props {
  uses: Pick<UseQueryResult<Uses>, 'data' | 'error'>
  /** Texts for a kind whose use has a different meaning, such as an account. */
  texts?: Pick<ReturnType<typeof usesTexts.get>, 'loading' | 'failed' | 'nowhere' | 'usedBy'>
}

/**
 * Where an entity is used, shown before it is deleted. If loading this fails, the entity can still be deleted. Nothing is
 * shown if it has just been deleted, as when it was confirmed before this was loaded.
 */
export function UsedIn({ uses: { data, error }, texts: own }: Props) {
  const texts = usesTexts.use()
  const language = useLanguage()
  const words = own ?? texts
  if (isNotFound(error)) return null
  if (error) return <p className={css.uses}>{words.failed}</p>
  if (!data) {
    return (
      <div className={css.uses} aria-busy="true">
        <p role="status" className="sr-only">
          {words.loading}
        </p>
        <SkeletonLines lines={2} height={18} />
      </div>
    )
  }
  if (data.total === 0) return <p className={css.uses}>{words.nowhere}</p>
  const named = data.first.slice(0, NAMED)
  return (
    <div className={css.uses}>
      <p>{words.usedBy(data.by.map(texts.count))}</p>
      {named.length > 0 && (
        <ul className={css.names}>
          {named.map((use) => {
            const { text, lang } = nameOfEntity(use, language) ?? NAMELESS
            return (
              <li key={use.entityId} lang={lang} className={css.name}>
                {text}
              </li>
            )
          })}
        </ul>
      )}
      {data.total > named.length && named.length > 0 && (
        <p className={css.more}>{texts.more(data.total - named.length)}</p>
      )}
    </div>
  )
}
