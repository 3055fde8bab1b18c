import { aiApi } from '@mokuroku/contract/ai'
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

/**
 * One line with the provider (a model's name, or reference data, which is no model) and the rest of the daily budget.
 */
export function AiStatusLine() {
  const texts = aiTexts.use()
  const { role } = useMe()
  const status = useAiStatus()
  if (!status)
    return (
      <AiStatusFailure>
        <Row as="p" align="stretch" wrap className={css.line}>
          &nbsp;
        </Row>
      </AiStatusFailure>
    )
  const { provider, model, sources, reason, tokensToday, dailyTokens } = status
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
