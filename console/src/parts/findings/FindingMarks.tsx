import { type Dismissal, type Finding, findingsApi } from '@mokuroku/contract/findings'
import type { Translated } from '@mokuroku/contract/kinds'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { longDate } from '#lib/dates.ts'
import { languageName } from '#parts/titles.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { Button } from '#ui/Button.tsx'
import { FailedLine } from '#ui/FailedLine.tsx'
import { Row } from '#ui/layout.tsx'
import { useFailure } from '#ui/useFailure.ts'
import css from './FindingMarks.module.css'
import { texts as area } from './texts.ts'

interface Props {
  kind: Translated
  id: string
  /** Why the user may not dismiss a finding. */
  refusal: string | undefined
}

type Mark = Pick<Finding, 'code' | 'language' | 'field'>

/** The findings of a stored entity: each links to the list of all entities that have it, and can be dismissed. */
export function FindingMarks({ kind, id, refusal }: Props) {
  const texts = area.use()
  const query = useQuery({ ...q(findingsApi.find, { id }), meta: { quiet: true } })
  const failure = useFailure(query)
  const { dismiss, reopen } = useDecisions(id)
  if (failure) return <FailedLine what={texts.failed} failure={failure} query={query} />
  const { data } = query
  if (!data) return undefined
  if (data.data.length + data.dismissed.length === 0) return undefined
  return (
    <details className={css.marks}>
      <summary>{texts.marks(data.data.length)}</summary>
      <ul>
        {data.data.map((mark) => (
          <MarkRow
            key={keyOf(mark)}
            kind={kind}
            mark={mark}
            action={texts.noProblem}
            refusal={refusal}
            onAct={() => dismiss.mutate(mark)}
          />
        ))}
        {data.dismissed.map((mark) => (
          <MarkRow
            key={keyOf(mark)}
            kind={kind}
            mark={mark}
            settled={mark}
            action={texts.reopen}
            refusal={refusal}
            onAct={() => reopen.mutate(mark)}
          />
        ))}
      </ul>
    </details>
  )
}

const keyOf = ({ code, language = '', field = '' }: Mark) => `${code} ${language} ${field}`

interface RowProps extends Pick<Props, 'kind' | 'refusal'> {
  mark: Mark
  /** Who dismissed it, and when. */
  settled?: Dismissal
  action: string
  onAct: () => void
}

function MarkRow({ kind, mark: { code, language }, settled, action, refusal, onAct }: RowProps) {
  const texts = area.use()
  const locale = useLanguage()
  const sentence = texts.sentences[code](language ? languageName(language, locale) : '')
  return (
    <Row as="li" gap={3} justify="between" className={css.mark} data-settled={settled ? true : undefined}>
      <Row as="p" align="baseline" wrap className={css.what}>
        <span>{sentence}</span>
        {settled ? (
          <span className={css.who}>{texts.settled(settled.username, longDate(settled.createdAt, locale))}</span>
        ) : (
          <Link to={AREAS[kind].path} search={{ finding: language ? `${code}:${language}` : code }}>
            {texts.others}
          </Link>
        )}
      </Row>
      <Button once size="small" variant="quiet" reason={refusal} aria-label={`${action}: ${sentence}`} onClick={onAct}>
        {action}
      </Button>
    </Row>
  )
}

function useDecisions(entityId: string) {
  const target = ({ code, language, field }: Mark) => ({
    entityId,
    code,
    ...(language && { language }),
    ...(field && { field }),
  })
  const reopen = useMutation({
    mutationFn: (mark: Mark) => call(findingsApi.undismiss, { body: target(mark), query: {} }),
    meta: { failure: area.get().decisionFailed },
  })
  const dismiss = useMutation({
    mutationFn: (mark: Mark) => call(findingsApi.dismiss, { body: target(mark) }),
    meta: { failure: area.get().decisionFailed },
    onSuccess: (_, mark) => offerUndo(area.get().dismissed, () => reopen.mutateAsync(mark)),
  })
  return { dismiss, reopen }
}
