import { MAX_STANDARDIZE_ITEMS } from '@mokuroku/contract/ai'
import { type Media, mediaApi, type MediaRow } from '@mokuroku/contract/media'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { localized, messageOf } from '#i18n/errors.ts'
import { q } from '#api/query.ts'
import { AiStatusLine, useAiStatus } from '#parts/ai/AiStatus.tsx'
import { AiStream } from '#parts/ai/AiStream.tsx'
import { acceptable, acceptedTexts, cellsOf } from '#parts/ai/cells.ts'
import { Cover } from '#parts/Cover.tsx'
import { LeaveGuard } from '#parts/entityEditor/LeaveGuard.tsx'
import { Languages } from '#parts/Languages.tsx'
import { MediaLink } from '#parts/MediaLink.tsx'
import { SearchSelect } from '#parts/SearchSelect.tsx'
import type { Choice } from '#parts/Suggestion.tsx'
import { useTitleOf } from '#parts/titles.ts'
import { useRecentMedia } from '#parts/useRecentMedia.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Row } from '#ui/layout.tsx'
import { Failed } from '#ui/Loaded.tsx'
import { useBackTo } from '#parts/useBackTo.ts'
import { Page } from '#ui/Page.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { useFailure } from '#ui/useFailure.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { mediaDetailTexts } from '../detailTexts.ts'
import css from './MediaStandardize.module.css'
import { RelatedChoices } from './RelatedChoices.tsx'
import { type Proposal, Proposals } from './Proposals.tsx'
import { standardizeTexts } from './texts.ts'
import { useSaveBatch } from './useSaveBatch.ts'
import { useStandardizing } from './useStandardizing.ts'

type Work = ReturnType<typeof useStandardizing>

const ScreenQuery = z.object({
  id: z.optional(z.string().check(z.maxLength(64))),
  /** Ids of further media to standardize together with it, separated by commas. */
  with: z.optional(z.string().check(z.maxLength(MAX_STANDARDIZE_ITEMS * 65))),
})

export function MediaStandardize() {
  const texts = standardizeTexts.use()
  const [{ id, with: others }, setState] = useUrlState(ScreenQuery)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Choice>()
  return (
    <Page title={texts.title} subtitle={texts.subtitle} back={useBackTo('/media', texts.back)}>
      <Card>
        <SearchSelect
          index="media"
          takesFirst
          label={texts.search}
          placeholder={texts.searchHint}
          text={text}
          onText={setText}
          onChoose={(choice) => {
            setText('')
            setChosen(choice)
            setState({ id: choice._id, with: undefined })
          }}
          recentTitle={texts.recent}
          {...useRecentMedia()}
        />
        <AiStatusLine />
      </Card>
      {id ? (
        <Chosen key={id} id={id} others={idsIn(others)} hit={chosen?._id === id ? chosen : undefined} />
      ) : (
        <Card>
          <EmptyState icon={Sparkles} title={texts.empty} hint={texts.emptyHint}>
            <Process reason={texts.selectFirst} busy={false} onProcess={() => undefined} />
          </EmptyState>
        </Card>
      )}
    </Page>
  )
}

/** The accepted cells, of those that were shown when the user chose; the others are accepted by default or not. */
interface Choices {
  accepted: ReadonlySet<string>
  among: ReadonlySet<string>
}

const NOT_CHOSEN: Choices = { accepted: new Set(), among: new Set() }

/** A media item to standardize; or what the search result says of it, if the item could not be loaded. */
type Standardized = Pick<Media, '_id' | 'originalTitle' | 'cover'> & {
  translations: MediaRow['translations']
  version?: number | undefined
  /** undefined: could not be loaded. */
  relatedMedia?: readonly MediaRow[]
}

const idsIn = (text = '') => text.split(',').filter(Boolean).slice(0, MAX_STANDARDIZE_ITEMS)

interface ChosenProps {
  id: string
  /** Ids of the media selected together with it. */
  others: readonly string[]
  hit: Choice | undefined
}

/** Shows the complete media item, or what the search result says of it if that cannot be loaded. */
function Chosen({ id, others, hit }: ChosenProps) {
  const texts = standardizeTexts.use()
  const along = useAlong(others)
  const media = useQuery({ ...q(mediaApi.find, { id }), meta: { quiet: true } })
  const failure = useFailure(media)
  if ((media.isPending && !failure) || along.isPending) {
    return (
      <Card title={texts.chosen}>
        <SkeletonLines lines={5} />
      </Card>
    )
  }
  const shown = media.data ?? (hit && listed(hit))
  return (
    <>
      {failure && (
        <Failed what={texts.completeFailed} hint={messageOf(failure)} busy={media.isFetching} retry={media.refetch} />
      )}
      {along.failed.length > 0 && (
        <Failed
          what={texts.alongFailed(along.failed.length)}
          hint={messageOf(along.failure)}
          busy={along.failed.some((each) => each.isFetching)}
          retry={() => along.failed.forEach((each) => void each.refetch())}
        />
      )}
      {shown && <Standardizing media={shown} along={along.media} others={others} />}
    </>
  )
}

/** The media selected together with another. Those that failed to load have failed until they are there. */
function useAlong(ids: readonly string[]) {
  const [last, setLast] = useState<Error>()
  const along = useQueries({
    queries: ids.map((id) => ({ ...q(mediaApi.find, { id }), meta: { quiet: true } })),
    combine: (found) => ({
      isPending: found.some(({ isPending, errorUpdateCount }) => isPending && errorUpdateCount === 0),
      media: found.flatMap(({ data }) => data ?? []),
      failed: found.filter(({ data, errorUpdateCount }) => data === undefined && errorUpdateCount > 0),
    }),
  })
  // React Query forgets the error as soon as it fetches again.
  const failure = along.failed.find(({ error }) => error)?.error ?? last
  if (failure !== last) setLast(failure)
  return { ...along, failure }
}

/** A search result as an item to standardize; missing texts become empty ones. */
const listed = ({ translations, ...hit }: Choice): Standardized => ({
  ...hit,
  translations: Object.fromEntries(
    Object.entries(translations).map(([tag, { title = '', description = '' }]) => [tag, { title, description }]),
  ),
})

/**
 * What may be standardized together with a media item: those selected with it, and its related media. Two of them that
 * were merged meanwhile are one.
 */
function withOthers({ _id, relatedMedia }: Standardized, along: readonly MediaRow[]): readonly MediaRow[] | undefined {
  if (along.length === 0) return relatedMedia
  const ids = new Set([_id])
  return [...along, ...(relatedMedia ?? [])].filter((each) => !ids.has(each._id) && ids.add(each._id))
}

interface StandardizingProps {
  media: Standardized
  along: readonly MediaRow[]
  /** The ids of those, also of the ones that are not loaded. */
  others: readonly string[]
}

function Standardizing({ media, along, others }: StandardizingProps) {
  const texts = standardizeTexts.use()
  const titleOf = useTitleOf()
  const status = useAiStatus()
  const work = useStandardizing()
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set(others))
  const [chosen, setChosen] = useState(NOT_CHOSEN)
  const related = withOthers(media, along)
  const all: readonly Standardized[] = [media, ...(related ?? [])]
  const wanted = all.filter(({ _id }) => _id === media._id || checked.has(_id))
  const proposals = proposalsOf(all, work.results)
  const gone = work.results.size - proposals.length
  const cells = proposals.flatMap((each) => each.cells)
  const accepted = new Set([...chosen.accepted, ...acceptable(cells.filter(({ key }) => !chosen.among.has(key)))])
  const items = itemsOf(proposals, accepted)
  const { save, busy, problems } = useSaveBatch(work.runs, work.finish)
  const tooMany = wanted.length > MAX_STANDARDIZE_ITEMS ? texts.tooMany(MAX_STANDARDIZE_ITEMS) : undefined
  const process = () => {
    setChosen(NOT_CHOSEN)
    work.process(wanted.map(({ _id, translations }) => ({ id: _id, translations })))
  }

  return (
    <>
      <LeaveGuard unsaved={() => items.length > 0} />
      <div className={css.columns}>
        <Current media={media} />
        <RelatedChoices related={related} checked={checked} onCheck={setChecked} />
      </div>
      <Process
        reason={status?.reason ? localized(status.reason) : tooMany}
        busy={work.now.state === 'running'}
        onProcess={process}
      />
      <Answer
        work={work}
        unknown={all.filter(({ _id }) => work.unknown.includes(_id)).map((each) => titleOf(each).text)}
        onProcess={process}
      />
      {gone > 0 && (
        <p role="alert" className={css.problem}>
          {texts.gone(gone)}
        </p>
      )}
      {proposals.length > 0 && (
        <Proposals
          proposals={proposals}
          problems={problems}
          accepted={accepted}
          onAccept={(keys) => setChosen({ accepted: keys, among: new Set(cells.map(({ key }) => key)) })}
          busy={busy}
          reason={items.length === 0 ? texts.nothing : undefined}
          onSave={() => save(items)}
        />
      )}
    </>
  )
}

/** The model's answer for each media item, text by text. */
const proposalsOf = (all: readonly Standardized[], results: Work['results']): Proposal[] =>
  all.flatMap((media) => {
    const result = results.get(media._id)
    return result ? [{ media, cells: cellsOf(media.translations, result, `${media._id}:`) }] : []
  })

/** The request body: the accepted texts of each media item that has any. */
const itemsOf = (proposals: readonly Proposal[], accepted: ReadonlySet<string>) =>
  proposals.flatMap(({ media: { _id, version }, cells }) => {
    const translations = acceptedTexts(cells, accepted)
    return Object.keys(translations).length > 0
      ? [{ id: _id, translations, ...(version !== undefined && { version }) }]
      : []
  })

function Current({ media }: { media: Standardized }) {
  const texts = standardizeTexts.use()
  const detail = mediaDetailTexts.use()
  const title = useTitleOf()(media)
  return (
    <Card title={texts.current}>
      <Row gap={4} align="stretch">
        <Cover cover={media.cover} entity={media} size="card" />
        <div className={css.texts}>
          <MediaLink id={media._id} className={css.title} lang={title.lang}>
            {title.text}
          </MediaLink>
          <Languages translations={media.translations} field="title" texts={{ ...detail, noTexts: texts.noTexts }} />
        </div>
      </Row>
    </Card>
  )
}

/** The answer as it streams in; missing parts can be requested again. `unknown` are titles that no source knows. */
function Answer({ work, unknown, onProcess }: { work: Work; unknown: string[]; onProcess: () => void }) {
  const texts = standardizeTexts.use()
  const { now, missing, results, stop, resume } = work
  if (now.state === 'idle') return null
  return (
    <AiStream
      label={texts.response}
      now={now}
      lacking={unknown.length > 0 ? texts.unknown(unknown) : undefined}
      onStop={stop}
      onRetry={missing.length > 0 ? resume : onProcess}
    >
      {now.state !== 'running' && missing.length > 0 && results.size > 0 && (
        <Row wrap className={css.resume}>
          <span>{texts.missing(missing.length)}</span>
          <Button size="small" onClick={resume}>
            {texts.resume(missing.length)}
          </Button>
        </Row>
      )}
    </AiStream>
  )
}

function Process({ reason, busy, onProcess }: { reason: string | undefined; busy: boolean; onProcess: () => void }) {
  const texts = standardizeTexts.use()
  return (
    <div className={css.process}>
      <Button variant="primary" icon={Sparkles} busy={busy} reason={reason} onClick={onProcess}>
        {busy ? texts.processing : texts.process}
      </Button>
    </div>
  )
}
