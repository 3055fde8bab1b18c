import { aiApi, type AiStatus } from '@mokuroku/contract/ai'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { localized } from '#i18n/errors.ts'
import { FailedLine } from '#ui/FailedLine.tsx'
import { Row } from '#ui/layout.tsx'
import { useFailure } from '#ui/useFailure.ts'
import css from './AiStatus.module.css'
import { aiTexts } from './texts.ts'

const useStatusQuery = () => useQuery({ ...q(aiApi.status), meta: { quiet: true } })

/** The configured provider, and whether the user may use it; undefined until loaded. */
export const useAiStatus = () => useStatusQuery().data

/** Why the status could not be loaded, with Retry; `children` if it is still loading. */
export function AiStatusFailure({ children }: { children?: ReactNode }) {
  const texts = aiTexts.use()
  const query = useStatusQuery()
  const failure = useFailure(query)
  if (!failure) return children
  return <FailedLine what={texts.statusFailed} failure={failure} query={query} />
}

/** What most servers answer, whose place is kept while it loads. */
const USUAL: Shown = {
  provider: 'reference',
  model: '',
  sources: ['AniList', 'Kitsu', 'bangumi-data', 'This catalogue'],
  tokensToday: 0,
  dailyTokens: 500_000,
}

/**
 * One line with the provider (a model's name, or reference data, which is no model) and the rest of the daily budget.
 */
export function AiStatusLine() {
  const status = useAiStatus()
  if (status) return <Line status={status} />
  return (
    <AiStatusFailure>
      <div className={css.loading}>
        <Line status={USUAL} />
      </div>
    </AiStatusFailure>
  )
}

type Shown = Pick<AiStatus, 'provider' | 'model' | 'sources' | 'reason' | 'tokensToday' | 'dailyTokens'>

function Line({ status: { provider, model, sources, reason, tokensToday, dailyTokens } }: { status: Shown }) {
  const texts = aiTexts.use()
  const { role } = useMe()
  return (
    <Row as="p" align="stretch" wrap className={css.line}>
      {reason && <strong>{localized(reason)}</strong>}
      {provider === 'reference' ? (
        <span>
          {texts.referenceHint}{' '}
          {role === 'admin' && (
            <Link to="/settings" search={{ section: 'ai' }} className={css.link}>
              {texts.setUp}
            </Link>
          )}
        </span>
      ) : (
        <span>{model}</span>
      )}
      {sources.length > 0 && <span>{sources.map(texts.sourceName).join(' · ')}</span>}
      {dailyTokens > 0 && <span>{texts.budget(tokensToday, dailyTokens)}</span>}
    </Row>
  )
}
