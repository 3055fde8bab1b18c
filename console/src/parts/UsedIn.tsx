import type { Uses } from '@mokuroku/contract/uses'
import type { UseQueryResult } from '@tanstack/react-query'
import { useMessages } from '#i18n/messages.ts'
import { writingOf } from '#lib/text.ts'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import css from './UsedIn.module.css'

/** As many as are named in a question that wants to be read. */
const NAMED = 5

/** Where an entity is used, for the question before it is deleted. It does not hinder the deleting when it fails. */
export function UsedIn({ uses: { data, isError } }: { uses: Pick<UseQueryResult<Uses>, 'data' | 'isError'> }) {
  const { uses: texts } = useMessages()
  if (isError) return <p className={css.uses}>{texts.failed}</p>
  if (!data) {
    return (
      <div className={css.uses} aria-busy="true">
        <p role="status" className="sr-only">
          {texts.loading}
        </p>
        <SkeletonLines lines={2} height={18} />
      </div>
    )
  }
  if (data.total === 0) return <p className={css.uses}>{texts.nowhere}</p>
  const named = data.first.slice(0, NAMED)
  return (
    <div className={css.uses}>
      <p>{texts.usedBy(data.by.map(({ entityType, count }) => texts.count(count, entityType)))}</p>
      <ul className={css.names}>
        {named.map(({ entityId, title }) => (
          <li key={entityId} lang={writingOf(title)} className={css.name}>
            {title}
          </li>
        ))}
      </ul>
      {data.total > named.length && named.length > 0 && (
        <p className={css.more}>{texts.more(data.total - named.length)}</p>
      )}
    </div>
  )
}
