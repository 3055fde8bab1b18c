import { aiApi } from '@mokuroku/contract/ai'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { Row } from '#ui/layout.tsx'
import css from './AiStatus.module.css'
import { aiTexts } from './texts.ts'

/** The configured provider, and whether the user may use it; undefined until loaded. */
export const useAiStatus = () => useQuery({ ...q(aiApi.status), meta: { quiet: true } }).data

/**
 * One line with the provider (a model's name, or reference data, which is no model) and the rest of the daily budget.
 */
export function AiStatusLine() {
  const texts = aiTexts.use()
  const { role } = useMe()
  const status = useAiStatus()
  if (!status)
    return (
      <Row as="p" align="stretch" wrap className={css.line}>
        &nbsp;
      </Row>
    )
  const { provider, model, sources, reason, tokensToday, dailyTokens } = status
  return (
    <Row as="p" align="stretch" wrap className={css.line}>
      {reason && <strong>{reason}</strong>}
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
