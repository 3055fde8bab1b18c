import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, CircleAlert, RotateCw, SearchX } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { messageOf } from '#i18n/errors.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import { areaTexts, useMessages } from '#i18n/messages.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Page } from '#ui/Page.tsx'
import { Retrying } from '#ui/Retrying.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { useFailure } from '#ui/useFailure.ts'
import css from './DetailFrame.module.css'
import { Notice } from './entityEditor/Notice.tsx'
import type { Back } from './useBackTo.ts'

const deletedTexts = areaTexts(
  {
    title: 'Deleted in the meantime',
    hint: 'You see it as it was.',
    restorable: 'You see it as it was. It can be changed again once it has been restored.',
  },
  { title: '已被删除', hint: '此处是删除前的内容。', restorable: '此处是删除前的内容，恢复后才能再次修改。' },
)

interface Props<Entity> {
  /** Its errors are shown here in full: give it `meta: { quiet: true }`. */
  query: UseQueryResult<Entity>
  back: Back
  texts: { notFound: string; notFoundHint: string; failed: string }
  /** Skeleton of the page. */
  pending: ReactNode
  /** Whether it can be restored once it has been deleted. */
  isRestorable?: boolean
  children: (entity: Entity) => ReactNode
}

/** Frame of a detail screen: loading, not found, failed (with Retry), or loaded. */
export function DetailFrame<Entity extends { _id: string }>({
  query,
  back,
  texts,
  pending,
  isRestorable,
  children,
}: Props<Entity>) {
  const { common } = useMessages()
  const deleted = deletedTexts.use()
  const failure = useFailure(query)
  if (query.data)
    return (
      <Fragment key={query.data._id}>
        {isNotFound(query.error) && (
          <div className={css.deleted}>
            <Notice icon={SearchX} title={deleted.title} hint={isRestorable ? deleted.restorable : deleted.hint} />
          </div>
        )}
        {children(query.data)}
      </Fragment>
    )
  if (!failure) return <div aria-busy="true">{pending}</div>
  const missing = isNotFound(failure)
  return (
    <Page title={missing ? texts.notFound : common.error}>
      <Card>
        {missing ? (
          <EmptyState icon={SearchX} title={texts.notFoundHint}>
            <BackToList {...back} />
          </EmptyState>
        ) : (
          <EmptyState alert icon={CircleAlert} title={texts.failed} hint={messageOf(failure)}>
            <Button icon={RotateCw} busy={query.isFetching} onClick={() => void query.refetch()}>
              {common.retry}
            </Button>
            <Retrying busy={query.isFetching} />
            <BackToList {...back} />
          </EmptyState>
        )}
      </Card>
    </Page>
  )
}

/** Skeleton of a detail screen that consists of a head and facts. */
export function PendingDetail({ title, back, loading }: { title: string; back: Back; loading: string }) {
  return (
    <Page title={title} back={back}>
      <p role="status" className="sr-only">
        {loading}
      </p>
      <SkeletonLines lines={6} />
    </Page>
  )
}

/** Two columns below the head of a detail screen, the second one narrower; below each other on narrow screens. */
export const DetailColumns = (props: { 'aria-hidden'?: boolean; children: ReactNode }) => (
  <div className={css.columns} {...props} />
)

function BackToList({ to, search, label }: Back) {
  return (
    <Link to={to} search={search} className={buttonClass()}>
      <ArrowLeft size={16} aria-hidden />
      {label}
    </Link>
  )
}
