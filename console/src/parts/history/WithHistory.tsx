import { Link, useSearch } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import tabs from '#ui/Tabs.module.css'
import { lazyPart } from '#ui/lazyPart.tsx'
import type { HistoryProps } from './revised.ts'
import css from './WithHistory.module.css'
import { historyTexts } from './texts.ts'
import { useHistoryRefusal } from './useHistoryRefusal.ts'

// Loaded when the history is opened.
const History = lazyPart(() => import('./History.tsx'), 'History')

interface Props extends HistoryProps {
  /** The findings, in the row of the views: if they arrive late, they move nothing. */
  marks?: ReactNode
  /** The details view. */
  children: ReactNode
}

/** The two views of an entity: its details and its history, selected by the URL (`?tab=history`). */
export function WithHistory({ marks, children, ...history }: Props) {
  const texts = historyTexts.use()
  const { tab }: { tab?: string } = useSearch({ strict: false })
  const isHistory = tab === 'history'
  const views = [
    { key: 'details', label: texts.details, search: {}, isCurrent: !isHistory },
    { key: 'history', label: texts.history, search: { tab: 'history' }, isCurrent: isHistory },
  ]
  return (
    <Stack gap={4}>
      <Row wrap className={css.head}>
        {marks}
        <Row as="nav" align="stretch" wrap className={tabs.tabs} aria-label={texts.views}>
          {views.map(({ key, label, search, isCurrent }) => (
            <Link
              key={key}
              to="."
              search={search}
              state={(before) => before}
              resetScroll={false}
              activeOptions={{ exact: key === 'details' }}
              className={tabs.tab}
              aria-current={isCurrent ? 'page' : undefined}
            >
              {label}
            </Link>
          ))}
        </Row>
      </Row>
      {isHistory ? <LazyHistory {...history} /> : children}
    </Stack>
  )
}

/** The history, lazily loaded; for users who may not read it, the reason. */
export function LazyHistory(props: HistoryProps) {
  const { errors } = useMessages()
  const refusal = useHistoryRefusal(props.revised.kind)
  if (refusal) {
    return (
      <Card>
        <EmptyState alert icon={Lock} title={errors[403]} hint={refusal} />
      </Card>
    )
  }
  return (
    <Suspense fallback={<SkeletonLines lines={6} height={56} />}>
      <History key={props.id} {...props} />
    </Suspense>
  )
}
