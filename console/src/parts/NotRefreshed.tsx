import type { UseQueryResult } from '@tanstack/react-query'
import { messageOf } from '#i18n/errors.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import { areaTexts } from '#i18n/messages.ts'
import css from './NotRefreshed.module.css'

const texts = areaTexts(
  { notRefreshed: (reason: string) => `Not refreshed: ${reason}` },
  { notRefreshed: (reason) => `未能刷新：${reason}` },
)

/**
 * Why what is shown may be outdated: it could not be fetched again. For what is polled, whose failures are `quiet`: a
 * toast would report them again and again. That it has been deleted is for `DetailFrame` to say.
 */
export function NotRefreshed({ query: { isRefetchError, error } }: { query: UseQueryResult }) {
  const { notRefreshed } = texts.use()
  const isShown = isRefetchError && !isNotFound(error)
  return <div role="status">{isShown && <p className={css.reason}>{notRefreshed(messageOf(error))}</p>}</div>
}
