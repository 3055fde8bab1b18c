import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, RotateCw } from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { messageOf } from '#i18n/errors.ts'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'
import css from './Loaded.module.css'
import { Retrying } from './Retrying.tsx'
import { useFailure } from './useFailure.ts'

interface Props<T> {
  query: UseQueryResult<T>
  /** Placeholder with the shape of the content. */
  skeleton: ReactNode
  /** What is being loaded, in the screen's words; announced to screen readers, and visible with `showLoading`. */
  loading?: string
  showLoading?: boolean
  /** The error message in the screen's words ('Failed to load media details'). */
  failed?: string
  children: (data: T) => ReactNode
}

/**
 * A query in each state: skeleton, error with its reason and Retry, or content, which is dimmed while the next rows
 * load.
 */
export function Loaded<T>({ query, skeleton, loading, showLoading, failed, children }: Props<T>) {
  const { common } = useMessages()
  const { data, isPending, isFetching, isPlaceholderData, refetch } = query
  const failure = useFailure(query)
  // Deferred: the content is rendered in small time slices after the skeleton, without blocking input or other cards.
  const wasPending = useDeferredValue(isPending)
  if (failure) return <Failed what={failed} hint={messageOf(failure)} busy={isFetching} retry={refetch} />
  if (isPending || (wasPending && data !== undefined)) {
    return (
      <div aria-busy="true">
        <p role="status" className={showLoading ? css.loading : 'sr-only'}>
          {loading ?? common.loading}
        </p>
        {skeleton}
      </div>
    )
  }
  return (
    <div className={css.ready} data-stale={isPlaceholderData || undefined} aria-busy={isPlaceholderData}>
      {children(data as T)}
    </div>
  )
}

interface FailedProps {
  what?: string | undefined
  hint?: string
  busy?: boolean
  retry: () => unknown
  children?: ReactNode
}

export function Failed({ what, hint, busy = false, retry, children }: FailedProps) {
  const { common } = useMessages()
  return (
    <EmptyState alert icon={CircleAlert} title={what ?? common.somethingFailed} hint={hint}>
      <Button icon={RotateCw} busy={busy} data-retry onClick={() => void retry()}>
        {common.retry}
      </Button>
      <Retrying busy={busy} />
      {children}
    </EmptyState>
  )
}
