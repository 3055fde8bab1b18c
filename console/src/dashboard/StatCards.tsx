import type { Stats } from '@mokuroku/contract/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { Retrying } from '#ui/Retrying.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useFailure } from '#ui/useFailure.ts'
import css from './StatCards.module.css'
import { dashboardTexts } from './texts.ts'

const CARDS = [
  { key: 'mediaCount', to: '/media', label: 'totalMedia', hint: 'totalMediaHint' },
  { key: 'characterCount', to: '/characters', label: 'characters', hint: 'charactersHint' },
  { key: 'tagCount', to: '/tags', label: 'tags', hint: 'tagsHint' },
  { key: 'assetCount', to: '/assets', label: 'assets', hint: 'assetsHint' },
] as const

/** The four headline counts; each links to its area. */
export function StatCards({ stats }: { stats: UseQueryResult<Stats> }) {
  const dashboard = dashboardTexts.use()
  const { common } = useMessages()
  const language = useLanguage()
  const failure = useFailure(stats)
  return (
    <>
      {failure && <Retrying busy={stats.isFetching} />}
      <ul className={css.cards}>
        {CARDS.map(({ key, to, label, hint }) => (
          <li key={key} className={css.card}>
            <Link to={to} className={`stretched-link ${css.label}`}>
              {dashboard[label]}
            </Link>
            <Row gap={3} className={css.value} aria-live="polite">
              {stats.data ? (
                count(stats.data[key], language)
              ) : failure ? (
                <Failed retry={() => void stats.refetch()} busy={stats.isFetching} />
              ) : (
                <>
                  <Skeleton width={88} height={26} />
                  <span className={css.loading}>{common.loading}</span>
                </>
              )}
            </Row>
            <p className={css.hint}>{dashboard[hint]}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

function Failed({ retry, busy }: { retry: () => void; busy: boolean }) {
  const { common } = useMessages()
  return (
    <span className={css.failed}>
      <CircleAlert size={16} aria-hidden />
      {common.error}
      <Button size="small" busy={busy} onClick={retry}>
        {common.retry}
      </Button>
    </span>
  )
}
