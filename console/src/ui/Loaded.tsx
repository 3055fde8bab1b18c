import type { UseQueryResult } from '@tanstack/react-query'
import { CircleAlert, RotateCw } from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'
import css from './Loaded.module.css'

interface Props<T> {
  query: UseQueryResult<T>
  /** The shape of what will come. */
  skeleton: ReactNode
  /** What is loading, in the screen's words; read out, and shown with `showLoading`. */
  loading?: string
  showLoading?: boolean
  /** What could not be loaded, in the screen's words ('Failed to load media details'). */
  failed?: string
  /** Instead of the failure with Retry: a not-found view, say. */
  onError?: (error: Error) => ReactNode
  children: (data: T) => ReactNode
}

/** A query in each of its states: skeleton, failure with Retry, ready; dimmed while the next rows are on their way. */
export function Loaded<T>({ query, skeleton, loading, showLoading, failed, onError, children }: Props<T>) {
  const { common } = useMessages()
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = query
  // What has come is rendered a few milliseconds at a time, after the skeleton: presses and other cards do not wait for it.
  const wasPending = useDeferredValue(isPending)
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
  if (data === undefined && error) return onError?.(error) ?? <Failed busy={isFetching} what={failed} retry={refetch} />
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
      <Button icon={RotateCw} busy={busy} onClick={() => void retry()}>
        {common.retry}
      </Button>
      {children}
    </EmptyState>
  )
}
