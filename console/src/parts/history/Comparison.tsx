import { entryNames } from '#parts/jsonEditor/entryNames.ts'
import type { Names } from '#parts/jsonEditor/idNames.ts'
import { type Revision, type RevisionRow, revisionsApi } from '@mokuroku/contract/revisions'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '#api/call.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { ConflictResolver } from '#parts/entityEditor/ConflictResolver.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { Change } from './Change.tsx'
import { type Difference, differences } from './differences.ts'
import css from './History.module.css'
import type { HistoryProps, Revised } from './revised.ts'
import { historyTexts } from './texts.ts'
import { PlaceLink, useHistoryNavigate } from './useHistoryNavigate.tsx'
import { useRestore } from './useRestore.ts'
import { useChangeText } from './changeText.ts'

interface Props extends HistoryProps {
  /** Ids of the versions. Undefined `from`: before it was created; undefined `to`: now. */
  from: string | undefined
  to: string | undefined
  newest: RevisionRow
  /** Versions to choose from. */
  rows: RevisionRow[]
}

/** Compares two versions field by field; values of the earlier one can be restored. */
export function Comparison({ revised, id, from, to, newest, rows, refusal }: Props) {
  const texts = historyTexts.use()
  const language = useLanguage()
  const [names] = useState(() => entryNames(language))
  const heading = useRef<HTMLHeadingElement>(null)
  const upTo = to ?? newest._id
  const pair = useQuery({
    queryKey: [revisionsApi.find.path, 'pair', from, upTo],
    queryFn: async ({ signal }) => {
      const [one, two] = await Promise.all([
        from === undefined ? undefined : call(revisionsApi.find, { id: from, signal }),
        call(revisionsApi.find, { id: upTo, signal }),
      ])
      return { one, two }
    },
    // Revisions are immutable.
    staleTime: Infinity,
    meta: { quiet: true },
  })
  const restore = useRestore(revised, id)
  useEffect(() => {
    const { activeElement } = document
    // On phones, this replaces the list, which may still have the focus. “Compare with now” leads here, past the rest of
    // the list; the links to what each version changed are browsed.
    const isLeft = activeElement?.checkVisibility() === false || activeElement?.matches('[data-with-now]')
    if (isLeft) heading.current?.focus({ preventScroll: true })
  }, [])
  const { one, two } = pair.data ?? {}
  return (
    <Card
      title={
        <span ref={heading} tabIndex={-1} className={css.heading}>
          {texts.comparison}
        </span>
      }
      action={
        <PlaceLink place={{ from: undefined, to: undefined }} className={css.back}>
          <ArrowLeft size={14} aria-hidden />
          {texts.back}
        </PlaceLink>
      }
    >
      <Choice {...{ from, to, newest }} rows={[...rows, ...[one, two].flatMap((each) => each ?? [])]} />
      <Loaded query={pair} failed={texts.comparisonFailed} skeleton={<SkeletonLines lines={4} height={56} />}>
        {({ one: earlier, two: later }) =>
          restore.stale ? (
            <ConflictResolver
              revised={revised}
              stale={restore.stale}
              names={names}
              busy={restore.isPending}
              onSave={(_merged, choices) => restore.settle(choices)}
              onBack={restore.forget}
            />
          ) : (
            <Differences
              {...{ revised, earlier, later, names, refusal }}
              busy={restore.isPending}
              onRestore={(paths) => earlier && restore.send(earlier, paths, later.version)}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

function Choice({ from, to, newest, rows }: Pick<Props, 'from' | 'to' | 'newest' | 'rows'>) {
  const texts = historyTexts.use()
  const language = useLanguage()
  const go = useHistoryNavigate()
  const sorted = [...new Map(rows.map((row) => [row._id, row])).values()].toSorted((a, b) => b.version - a.version)
  const oldest = sorted.at(-1)
  const isOldestKept = from === undefined && oldest?._id === (to ?? newest._id) && oldest.version > 1
  const options = sorted.map(({ _id, version, username, createdAt }) => ({
    value: _id,
    label: texts.versionBy(version, username, longDateTime(createdAt, language)),
  }))
  return (
    <div className={css.choice}>
      <SelectField
        label={texts.from}
        value={from ?? ''}
        options={[...options, { value: '', label: isOldestKept ? texts.nothingKept : texts.nothing }]}
        onChange={(value) => go(value ? { from: value } : { from: undefined, to: to ?? newest._id })}
      />
      <SelectField
        label={texts.to}
        value={to ?? ''}
        options={[{ value: '', label: texts.now(newest.version) }, ...options]}
        onChange={(value) => go({ to: value || (from ? undefined : newest._id) })}
      />
    </div>
  )
}

interface DifferencesProps {
  revised: Revised
  earlier: Revision | undefined
  later: Revision
  names: Names
  refusal: string | undefined
  busy: boolean
  onRestore: (paths: string[]) => void
}

function Differences({ revised, earlier, later, names, refusal, busy, onRestore }: DifferencesProps) {
  const texts = historyTexts.use()
  const found = differences(revised, earlier?.snapshot, later.snapshot)
  if (found.length === 0) return <Muted as="p">{texts.same}</Muted>
  return (
    <>
      <Muted as="p" role="status">
        {texts.differences(found.length)}
      </Muted>
      <ul className={css.differences} aria-label={texts.comparison}>
        {found.map((difference) => (
          <Line
            key={difference.paths.join(' ')}
            {...{ revised, difference, names, busy, refusal }}
            version={earlier?.version}
            onRestore={() => onRestore(difference.paths)}
          />
        ))}
      </ul>
      {earlier && found.length > 1 && (
        <Row as="footer" align="stretch" justify="end" className={css.footer}>
          <Button
            variant="primary"
            busy={busy}
            reason={refusal}
            onClick={() => onRestore(found.flatMap(({ paths }) => paths))}
          >
            {texts.restoreAll(earlier.version)}
          </Button>
        </Row>
      )}
    </>
  )
}

interface LineProps {
  revised: Revised
  difference: Difference
  names: DifferencesProps['names']
  version: number | undefined
  refusal: string | undefined
  busy: boolean
  onRestore: () => void
}

function Line({ revised, difference, names, version, refusal, busy, onRestore }: LineProps) {
  const texts = historyTexts.use()
  const { labelOf, named } = useChangeText(revised)
  return (
    <li className={css.difference}>
      <Row gap={3} justify="between">
        <h3 className={css.label}>{labelOf(difference)}</h3>
        {version !== undefined && (
          <Button
            size="small"
            aria-label={texts.restoreOne(named(difference), version)}
            reason={refusal}
            busy={busy}
            onClick={onRestore}
          >
            {texts.restore}
          </Button>
        )}
      </Row>
      <Change revised={revised} difference={difference} names={names} />
    </li>
  )
}
