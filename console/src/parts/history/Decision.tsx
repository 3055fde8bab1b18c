import type { FindingDecision } from '@mokuroku/contract/findings'
import { useLanguage } from '#i18n/messages.ts'
import { texts as findingTexts } from '#parts/findings/texts.ts'
import { languageName } from '#parts/titles.ts'
import css from './History.module.css'
import { historyTexts } from './texts.ts'
import { Writer } from './Writer.tsx'

/** An entry between the versions: somebody dismissed a finding, or took that back. */
export function Decision({ decision }: { decision: FindingDecision }) {
  const texts = historyTexts.use()
  const { sentences } = findingTexts.use()
  const locale = useLanguage()
  const { code, language, isDismissed, ...by } = decision
  const sentence = sentences[code](language ? languageName(language, locale) : texts.anyLanguage)
  return (
    <>
      <p className={css.decision}>{isDismissed ? texts.noProblem(sentence) : texts.problemAgain(sentence)}</p>
      <p className={css.who}>
        <Writer {...by} />
      </p>
    </>
  )
}
