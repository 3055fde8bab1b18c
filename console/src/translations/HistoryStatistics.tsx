import { historyApi } from '@mokuroku/contract/history'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { q } from '#api/query.ts'
import { messageOf } from '#i18n/errors.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { Button } from '#ui/Button.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { Retrying } from '#ui/Retrying.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useFailure } from '#ui/useFailure.ts'
import css from './HistoryStatistics.module.css'
import { translationTexts } from './texts.ts'

const CARDS = ['totalCount', 'rolledBackCount', 'media', 'character'] as const

export function HistoryStatistics() {
  const texts = translationTexts.use()
  const { common } = useMessages()
  const language = useLanguage()
  const statistics = useQuery({
    ...q(historyApi.statistics),
    staleTime: 0,
    meta: { quiet: true },
  })
  const { data, isFetching, refetch } = statistics
  const failure = useFailure(statistics)
  const values = data && { ...data, ...data.byEntityType }
  if (failure) {
    return (
      <p className={css.failed} role="alert">
        <CircleAlert size={16} aria-hidden />
        <Stack as="span">
          {texts.statisticsFailed}
          <Muted small>{messageOf(failure)}</Muted>
        </Stack>
        <Button size="small" busy={isFetching} onClick={() => void refetch()}>
          {common.retry}
        </Button>
        <Retrying busy={isFetching} />
      </p>
    )
  }
  return (
    <dl className={css.cards} aria-label={texts.statistics}>
      {CARDS.map((name) => (
        <div key={name} className={css.card}>
          <dt className={css.name}>{texts[name]}</dt>
          <dd className={css.value}>{values ? count(values[name], language) : <Skeleton width={72} height={24} />}</dd>
          <Muted as="dd" small>
            {texts[`${name}Hint`]}
          </Muted>
        </div>
      ))}
    </dl>
  )
}
