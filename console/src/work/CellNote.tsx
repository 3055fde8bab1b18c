import type { FindingCode } from '@mokuroku/contract/findings'
import { joinSentences } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { texts as findingTexts } from '#parts/findings/texts.ts'
import { languageName } from '#parts/titles.ts'
import { Button } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { textIn } from './deskState.ts'
import type { Place } from './draft.ts'
import css from './Matrix.module.css'
import type { MatrixStore } from './matrix.ts'
import { workTexts } from './texts.ts'

interface Props {
  matrix: MatrixStore
  place: Place
  findings: readonly FindingCode[]
  /** Why the user may not edit the text. */
  refusal: string | undefined
  field: string
}

/** Details of the focused cell: findings, a missing permission, the result of saving, and a conflict to resolve. */
export function CellNote({ matrix, place, findings, refusal, field }: Props) {
  const texts = workTexts.use()
  const { sentences } = findingTexts.use()
  const locale = useLanguage()
  const cell = matrix.cellOf(place)
  const { stale, reason, state } = cell ?? {}
  return (
    <div className={css.note}>
      <div role="status">
        {findings.map((code) => (
          <p key={code}>{sentences[code](languageName(place.language, locale))}</p>
        ))}
        {refusal && <p>{refusal}</p>}
        {state && <p>{joinSentences(texts.cells[state], reason)}</p>}
        {stale && (
          <p>
            {texts.theirs} <span lang={place.language}>{textIn(stale.theirs, place.language, field) || '—'}</span>
          </p>
        )}
      </div>
      {stale && (
        <Row as="p" gap={2} align="stretch" className={css.settle}>
          <Button size="small" onClick={() => matrix.settle(place, 'mine')}>
            {texts.keepMine}
          </Button>
          <Button size="small" onClick={() => matrix.settle(place, 'theirs')}>
            {texts.takeTheirs}
          </Button>
        </Row>
      )}
    </div>
  )
}
