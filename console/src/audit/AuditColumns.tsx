import type { AuditRow, Outcome } from '@mokuroku/contract/audit'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { count } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { Avatar } from '#parts/Avatar.tsx'
import { useDevice } from '#parts/device.ts'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { Column } from '#ui/Table.tsx'
import css from './Audit.module.css'
import { texts as area } from './texts.ts'
import { foldedIn, useAuditSummary } from './auditSummary.ts'

const TONES: Record<Outcome, Tone> = { ok: 'neutral', failed: 'warning', refused: 'danger' }

export function useAuditColumns(onOpen: (row: AuditRow) => void): Column<AuditRow>[] {
  const { columns } = area.use()
  return [
    {
      key: 'what',
      head: columns.what,
      cell: (row) => <What row={row} onOpen={() => onOpen(row)} />,
      skeleton: (
        <span className={css.skeleton}>
          <Skeleton width="40%" />
          <Skeleton width="65%" height={10} />
        </span>
      ),
    },
    { key: 'who', head: columns.who, width: 'clamp(7.75rem, 13.6vw, 12.25rem)', cell: (row) => <Who row={row} /> },
    { key: 'outcome', head: columns.outcome, width: '6.5rem', spare: 3, cell: (row) => <OutcomeBadge {...row} /> },
    {
      key: 'where',
      head: columns.where,
      width: 'clamp(7.75rem, 12.8vw, 11.5rem)',
      spare: 2,
      cell: (row) => <Where row={row} />,
    },
    {
      key: 'when',
      head: columns.when,
      width: 'clamp(9.25rem, 17vw, 15.25rem)',
      cell: ({ createdAt }) => <When moment={createdAt} />,
    },
  ]
}

function What({ row, onOpen }: { row: AuditRow; onOpen: () => void }) {
  const texts = area.use()
  const language = useLanguage()
  const summary = useAuditSummary()(row)
  const folded = foldedIn(row)
  return (
    <span className={css.lines}>
      <button type="button" className={css.what} onClick={onOpen}>
        {texts.actions[row.action]}
      </button>
      {summary && (
        <span className={css.detail} dir="auto" title={summary}>
          {summary}
        </span>
      )}
      {folded > 0 && <span className={css.folded}>{texts.times(count(folded, language))}</span>}
    </span>
  )
}

/** The actor, by the name they had at the time. */
export function Who({ row: { actorId, actorName, avatar } }: { row: AuditRow }) {
  const texts = area.use()
  const name = actorId === 'system' ? texts.system : actorName || texts.visitor
  return (
    <Row as="span" gap={2}>
      <Avatar name={actorName || '?'} url={avatar || undefined} />
      <span
        className={css.name}
        lang={actorName && actorId !== 'system' ? guessLanguage(actorName) : undefined}
        title={name}
      >
        {name}
      </span>
    </Row>
  )
}

export function OutcomeBadge({ outcome }: Pick<AuditRow, 'outcome'>) {
  const { outcomes } = area.use()
  return (
    <Badge dot tone={TONES[outcome]}>
      {outcomes[outcome]}
    </Badge>
  )
}

function Where({ row: { address, userAgent, actorId } }: { row: AuditRow }) {
  const texts = area.use()
  const device = useDevice()
  if (!address) return <Muted small>{actorId === 'system' ? texts.nowhere : '—'}</Muted>
  return (
    <span className={css.lines}>
      <span className={css.address}>{address}</span>
      <span className={css.detail} title={userAgent}>
        {device(userAgent)}
      </span>
    </span>
  )
}

function When({ moment }: { moment: string }) {
  const language = useLanguage()
  return (
    <time dateTime={moment} title={moment}>
      {longDateTime(moment, language)}
    </time>
  )
}
