import type { AuditRow } from '@mokuroku/contract/audit'
import type { ReactNode } from 'react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { isKind } from '#lib/areas.ts'
import { longDateTime } from '#lib/dates.ts'
import { count } from '#lib/sizes.ts'
import { useDevice } from '#parts/device.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Muted } from '#ui/layout.tsx'
import css from './Audit.module.css'
import { OutcomeBadge, Who } from './AuditColumns.tsx'
import type { AuditFilterState } from './applied.ts'
import { texts as area } from './texts.ts'
import { useAuditSummary } from './auditSummary.ts'

interface Props {
  row: AuditRow
  onClose: () => void
  /** Filters the log by this actor or this target. */
  onOnly: (only: Pick<AuditFilterState, 'actor' | 'target'>) => void
}

/** All details of one entry, as plain text. */
export function AuditDetails({ row, onClose, onOnly }: Props) {
  const { details: texts, actions, visitor } = area.use()
  const { kinds } = useMessages()
  const language = useLanguage()
  const device = useDevice()
  const summary = useAuditSummary()(row)
  const { seq, actorId, actorName, entityType, entityId, label, session, address, userAgent, details, hash } = row
  const type = isKind(entityType) ? kinds[entityType].name : (texts.types[entityType] ?? entityType)
  return (
    <Dialog
      wide
      title={texts.title(count(seq, language))}
      onClose={onClose}
      footer={
        <>
          {entityId && <Button onClick={() => onOnly({ target: entityId })}>{texts.aboutThis}</Button>}
          {actorId && (
            <Button onClick={() => onOnly({ actor: actorId })}>{texts.byPerson(actorName || visitor)}</Button>
          )}
        </>
      }
    >
      <p className={css.summary}>
        <strong>{actions[row.action]}</strong>
        {summary && <span>{summary}</span>}
        <OutcomeBadge {...row} />
      </p>
      <Facts apart>
        <Fact name={texts.by}>
          <Who row={row} />
        </Fact>
        <Fact name={texts.at}>
          <time dateTime={row.createdAt}>{longDateTime(row.createdAt, language)}</time>
          <code className={css.code}>{row.createdAt}</code>
        </Fact>
        <Fact name={texts.action}>
          <code className={css.code}>{row.action}</code>
        </Fact>
        <Text name={texts.address}>{address}</Text>
        <Fact name={texts.device} wide>
          {userAgent ? (
            <span>
              {device(userAgent)} <Muted small>{userAgent}</Muted>
            </span>
          ) : (
            <Muted small>{texts.none}</Muted>
          )}
        </Fact>
        <Text name={texts.about} wide>
          {[type, label].filter(Boolean).join(' · ')}
        </Text>
        <Text name={texts.idOf(texts.about)} wide code>
          {entityId}
        </Text>
        <Text name={texts.idOf(texts.by)} wide code>
          {actorId}
        </Text>
        <Text name={texts.session} wide code>
          {session}
        </Text>
        <Fact name={texts.more} wide>
          {Object.keys(details).length > 0 ? (
            <pre className={css.json}>{JSON.stringify(details, undefined, 2)}</pre>
          ) : (
            <Muted small>{texts.none}</Muted>
          )}
        </Fact>
        <Text name={texts.hash} wide code>
          {hash}
        </Text>
      </Facts>
    </Dialog>
  )
}

function Text({ name, wide, code, children }: { name: string; wide?: boolean; code?: boolean; children: ReactNode }) {
  const { details: texts } = area.use()
  const empty = <Muted small>{texts.none}</Muted>
  return (
    <Fact name={name} wide={wide ?? false}>
      {children ? code ? <code className={css.code}>{children}</code> : children : empty}
    </Fact>
  )
}
