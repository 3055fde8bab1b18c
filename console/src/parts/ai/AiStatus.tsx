import { aiApi } from '@mokuroku/contract/ai'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { Row } from '#ui/layout.tsx'
import css from './AiStatus.module.css'
import { aiTexts } from './texts.ts'

/** Who answers, and whether the user may ask; undefined until it is known. */
export const useAiStatus = () => useQuery({ ...q(aiApi.status), meta: { quiet: true } }).data

/** Who answers, in a line: a model by its name, or reference data, which is no model; and what is left of the day. */
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
      {sources.length > 0 && <span>{sources.map((name) => texts.sourceNames[name] ?? name).join(' · ')}</span>}
      {dailyTokens > 0 && <span>{texts.budget(tokensToday, dailyTokens)}</span>}
    </Row>
  )
}
