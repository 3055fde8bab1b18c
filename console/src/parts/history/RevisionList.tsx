import type { FindingDecision } from '@mokuroku/contract/findings'
import type { RevisionRow } from '@mokuroku/contract/revisions'
import { AiBadge } from '#parts/ai/AiBadge.tsx'
import { Fragment } from 'react'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Row } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Decision } from './Decision.tsx'
import css from './History.module.css'
import type { Revised } from './revised.ts'
import { historyTexts } from './texts.ts'
import { PlaceLink } from './useHistoryNavigate.tsx'
import { useChangeText } from './changeText.ts'
import { Writer } from './Writer.tsx'

const TONES: Record<RevisionRow['origin'], Tone> = {
  person: 'neutral',
  import: 'accent',
  ai: 'plum',
  rollback: 'warning',
  system: 'neutral',
}

interface Props {
  revised: Revised
  /** One more than `limit` if there are older versions. */
  rows: RevisionRow[]
  limit: number
  /** Decisions on findings, newest first; those between the shown versions are listed with them. */
  decisions: FindingDecision[]
  isFirstPage: boolean
  newest: string | undefined
  /** Id of the version being viewed. */
  chosen: string | undefined
}

export function RevisionList({ revised, rows, limit, decisions, isFirstPage, newest, chosen }: Props) {
  const texts = historyTexts.use()
  /** The decisions after one version, up to the next. */
  const between = (version: RevisionRow | undefined, next: RevisionRow | undefined) =>
    decisions
      .filter(({ createdAt }) => (!version || createdAt > version.createdAt) && (!next || createdAt <= next.createdAt))
      .map((decision) => (
        <li key={decision._id} className={css.row}>
          <Decision decision={decision} />
        </li>
      ))
  return (
    <ol aria-label={texts.versions} data-list>
      {isFirstPage && between(rows[0], undefined)}
      {rows.slice(0, limit).map((row, at) => (
        <Fragment key={row._id}>
          <li className={css.row} data-list-row data-chosen={row._id === chosen || undefined}>
            <Described
              revised={revised}
              row={row}
              before={rows[at + 1]}
              isNewest={row._id === newest}
              isChosen={row._id === chosen}
            />
          </li>
          {between(rows[at + 1], row)}
        </Fragment>
      ))}
      {rows.length <= limit && (rows.at(-1)?.version ?? 1) > 1 && <li className={css.row}>{texts.olderGone}</li>}
    </ol>
  )
}

interface RowProps {
  revised: Revised
  row: RevisionRow
  before: RevisionRow | undefined
  isNewest: boolean
  isChosen: boolean
}

function Described({ revised, row, before, isNewest, isChosen }: RowProps) {
  const texts = historyTexts.use()
  const { didWhat } = useChangeText(revised)
  const { _id, version, origin, username, userId, createdAt, reason, batch } = row
  return (
    <>
      <Row gap={2} align="start" justify="between">
        <PlaceLink
          place={{ from: before?._id, to: _id }}
          className={`stretched-link ${css.open}`}
          aria-current={isChosen ? 'true' : undefined}
        >
          {didWhat(row)}
        </PlaceLink>
        <Row as="span" gap={1} align="stretch" justify="end" wrap>
          {runsOf(row).map((run) => (
            <AiBadge key={run._id} run={run} />
          ))}
          {(origin !== 'ai' || !row.provenance?.length) && <Badge tone={TONES[origin]}>{texts.origins[origin]}</Badge>}
        </Row>
      </Row>
      {reason && <p className={css.reason}>{reason}</p>}
      <p className={css.who}>
        <Writer {...{ userId, username, createdAt }} />
        <span aria-hidden>·</span>
        <span>{texts.version(version)}</span>
        {batch && (
          <>
            <span aria-hidden>·</span>
            <span title={batch}>{texts.batch}</span>
          </>
        )}
        {!isNewest && (
          <PlaceLink
            place={{ from: _id, to: undefined }}
            className={css.withNow}
            data-with-now
            aria-label={texts.withNowOf(version)}
          >
            {texts.withNow}
          </PlaceLink>
        )}
      </p>
    </>
  )
}

/** The AI runs that parts of a version came from, one for each model. */
function runsOf({ provenance = [] }: RevisionRow) {
  return [...new Map(provenance.map((run) => [`${run.provider} ${run.model}`, run])).values()]
}

export function RevisionListSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={css.row}>
          <Skeleton width="70%" />
          <Skeleton width="45%" height={10} />
        </div>
      ))}
    </div>
  )
}
