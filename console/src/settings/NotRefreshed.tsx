import type { UseQueryResult } from '@tanstack/react-query'
import { messageOf } from '#i18n/errors.ts'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'

/** Why what is shown may be outdated: it could not be fetched again. */
export function NotRefreshed({ query: { isRefetchError, error } }: { query: UseQueryResult }) {
  const texts = area.use()
  return (
    <div role="status">
      {isRefetchError && <p className={css.notRefreshed}>{texts.notRefreshed(messageOf(error))}</p>}
    </div>
  )
}
