import type { Work } from '@mokuroku/contract/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { allDrafts } from '#api/drafts.ts'
import { useMe } from '#api/session.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { useRefusal } from '#parts/refusal.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Skeleton, SkeletonLines } from '#ui/Skeleton.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { Trend } from './Trend.tsx'
import css from './Work.module.css'
import { type WorkRow, workRows } from './workRows.ts'
import { workTexts } from './workTexts.ts'

const NothingToDo = lazyPart(() => import('./NothingToDo.tsx'), 'NothingToDo')

/** How many rows are shown at first. */
const FIRST = 10
/** Rows with the height of what says that there is nothing to do, as for users who may not edit. */
const NONE = 3

/** What needs work, as sentences that link to the filtered lists. */
export function WorkCard({ work }: { work: UseQueryResult<Work> }) {
  const texts = workTexts.use()
  const { _id: me } = useMe()
  const mayEdit = useRefusal()('edit', 'Media', me) === undefined
  return (
    <Card flush title={texts.title}>
      <Loaded query={work} skeleton={<SkeletonLines lines={mayEdit ? FIRST : NONE} height={44} />}>
        {(data) => <Rows work={data} />}
      </Loaded>
    </Card>
  )
}

function Rows({ work }: { work: Work }) {
  const texts = workTexts.use()
  const language = useLanguage()
  const me = useMe()
  const [all, setAll] = useState(false)
  const rows = workRows(work, allDrafts(me._id).length, language)
  const { progress } = work
  return (
    <>
      {progress && (
        <p className={css.note}>{texts.checking(count(progress.done, language), count(progress.total, language))}</p>
      )}
      {rows.length === 0 ? (
        <Suspense fallback={<Skeleton height={160} />}>
          <NothingToDo />
        </Suspense>
      ) : (
        <ul className={css.rows}>
          {(all ? rows : rows.slice(0, FIRST)).map((row) => (
            <Line key={row.key} row={row} />
          ))}
        </ul>
      )}
      {rows.some(({ past }) => past) && !rows.some(({ past }) => past?.length) && (
        <Muted as="p" small className={css.later}>
          {texts.noPast}
        </Muted>
      )}
      {rows.length > FIRST && (
        <p className={css.more}>
          <Button size="small" variant="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? texts.showFewer : texts.showAll(rows.length)}
          </Button>
        </p>
      )}
    </>
  )
}

function Line({ row: { sentence, kind, to, search, desk, now, past } }: { row: WorkRow }) {
  const texts = workTexts.use()
  const { kinds } = useMessages()
  return (
    <li className={css.row}>
      <Row as="p" align="baseline" wrap className={css.what}>
        <Link to={to} search={search}>
          {sentence}
        </Link>
        {kind && <Muted small>{kinds[kind].list}</Muted>}
      </Row>
      <span className={css.past}>{past && <Trend past={past} now={now} />}</span>
      <span className={css.through}>{desk && <DeskLink {...desk} label={texts.workThroughOf(sentence)} />}</span>
    </li>
  )
}

/** Link to the desk; for users who may not even edit their own, a button that says why not. */
function DeskLink({ kind, search, label }: NonNullable<WorkRow['desk']> & { label: string }) {
  const { workThrough } = workTexts.use()
  const { _id: me } = useMe()
  const reason = useRefusal()('edit', kind, me)
  if (reason) {
    return (
      <Button size="small" variant="quiet" reason={reason} aria-label={label}>
        {workThrough}
      </Button>
    )
  }
  return (
    <Link to="/work" search={search} aria-label={label}>
      {workThrough}
    </Link>
  )
}
