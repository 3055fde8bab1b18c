import { type Dismissal, type Finding, findingsApi } from '@mokuroku/contract/findings'
import type { Translated } from '@mokuroku/contract/kinds'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { toastFailure } from '#api/queryClient.ts'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS, screenOf } from '#lib/areas.ts'
import { longDate } from '#lib/dates.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import type { Area, Stored } from '#parts/area/area.ts'
import { MatchFacts } from '#parts/merging/MatchFacts.tsx'
import { documentOf } from '#parts/merging/sides.ts'
import { mergeTexts } from '#parts/merging/texts.ts'
import { useLikelyDuplicates } from '#parts/merging/useLikely.ts'
import { languageName } from '#parts/titles.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { Button } from '#ui/Button.tsx'
import { FailedLine } from '#ui/FailedLine.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { useFailure } from '#ui/useFailure.ts'
import { toast } from '#ui/toast.ts'
import css from './FindingMarks.module.css'
import { texts as findingTexts } from './texts.ts'

interface Props {
  area: Area
  kind: Translated
  entity: Stored
  /** Why the user may not dismiss a finding. */
  refusal: string | undefined
}

type Mark = Pick<Finding, 'code' | 'language' | 'field'>

/** The findings of a stored entity: each links to the list of all entities that have it, and can be dismissed. */
export function FindingMarks({ area, kind, entity, refusal }: Props) {
  const texts = findingTexts.use()
  const { _id: id } = entity
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({ ...q(findingsApi.find, { id }), meta: { quiet: true } })
  const failure = useFailure(query)
  const { dismiss, reopen } = useDecisions(id)
  if (failure) return <FailedLine what={texts.failed} failure={failure} query={query} />
  const { data } = query
  if (!data) return undefined
  if (data.data.length + data.dismissed.length === 0) return undefined
  return (
    <details className={css.marks} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
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
          >
            {isOpen && mark.code === 'duplicate' && <Others {...{ area, kind, entity }} />}
          </MarkRow>
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
  children?: ReactNode
}

function MarkRow({ kind, mark: { code, language }, settled, action, refusal, onAct, children }: RowProps) {
  const texts = findingTexts.use()
  const locale = useLanguage()
  const sentence = texts.sentences[code](language ? languageName(language, locale) : '')
  return (
    <Row as="li" gap={3} justify="between" className={css.mark} data-settled={settled ? true : undefined}>
      <Row as="p" align="baseline" wrap className={css.what}>
        <span>{sentence}</span>
        {settled ? (
          <Muted inline>{texts.settled(settled.username, longDate(settled.createdAt, locale))}</Muted>
        ) : (
          <Link
            to={AREAS[kind].path}
            search={{ finding: language ? `${code}:${language}` : code }}
            aria-label={`${texts.others}: ${sentence}`}
          >
            {texts.others}
          </Link>
        )}
        {children}
      </Row>
      <Button once size="small" variant="quiet" reason={refusal} aria-label={`${action}: ${sentence}`} onClick={onAct}>
        {action}
      </Button>
    </Row>
  )
}

/** Links to the entries that are probably the same. */
function Others({ area, kind, entity }: Omit<Props, 'refusal'>) {
  const texts = mergeTexts.use()
  const document = documentOf(area.editor.schema, entity)
  const { matches, failure, isLoading, retry } = useLikelyDuplicates(kind, document, entity._id)
  if (failure)
    return <FailedLine what={texts.likelyFailed} failure={failure} query={{ isFetching: isLoading, refetch: retry }} />
  return matches.map((match) => (
    <Link key={match._id} to={screenOf(kind, match._id)}>
      <MatchFacts kind={kind} entity={match} />
    </Link>
  ))
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
    meta: { failure: findingTexts.get().decisionFailed },
  })
  const dismiss = useMutation({
    mutationFn: (mark: Mark) => call(findingsApi.dismiss, { body: target(mark) }),
    meta: { quiet: true },
    onError: (error) => {
      const { gone, decisionFailed } = findingTexts.get()
      // Somebody else has dismissed it, or corrected or deleted the entry.
      if (isNotFound(error)) toast.info(gone)
      else toastFailure(decisionFailed, error)
    },
    onSuccess: (_, mark) => offerUndo(findingTexts.get().dismissed, () => reopen.mutateAsync(mark)),
  })
  return { dismiss, reopen }
}
