import { aiApi } from '@mokuroku/contract/ai'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { localized, messageOf } from '#i18n/errors.ts'
import { useMessages } from '#i18n/messages.ts'
import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { Retrying } from '#ui/Retrying.tsx'
import { useFailure } from '#ui/useFailure.ts'
import css from './AiStatus.module.css'
import { aiTexts } from './texts.ts'

const useStatusQuery = () => useQuery({ ...q(aiApi.status), meta: { quiet: true } })

/** The configured provider, and whether the user may use it; undefined until loaded. */
export const useAiStatus = () => useStatusQuery().data

/**
 * One line with the provider (a model's name, or reference data, which is no model) and the rest of the daily budget.
 */
export function AiStatusLine() {
  const texts = aiTexts.use()
  const { role } = useMe()
  const { common } = useMessages()
  const query = useStatusQuery()
  const { data: status, isFetching, refetch } = query
  const failure = useFailure(query)
  if (failure)
    return (
      <Row wrap className={css.line}>
        <span role="alert">{`${texts.statusFailed} ${messageOf(failure)}`}</span>
        <Button size="small" icon={RotateCw} busy={isFetching} onClick={() => void refetch()}>
          {common.retry}
        </Button>
        <Retrying busy={isFetching} />
      </Row>
    )
  if (!status)
    return (
      <Row as="p" align="stretch" wrap className={css.line}>
        &nbsp;
      </Row>
    )
  const { provider, model, sources, reason, tokensToday, dailyTokens } = status
  return (
    <Row as="p" align="stretch" wrap className={css.line}>
      {reason && <strong>{localized(reason)}</strong>}
      {provider === 'reference' ? (
        <span>
          {texts.referenceHint}{' '}
          {role === 'admin' && (
            <Link to="/settings" className={css.link}>
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
