import type { HistoryEntry } from '@mokuroku/contract/history'
import { Link } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { guessLanguage } from '#lib/text.ts'
import { AiBadge } from '#parts/ai/AiBadge.tsx'
import { AREAS, screenOf } from '#lib/areas.ts'
import { useFieldNames } from '#parts/fieldNames.ts'
import { useRefusal } from '#parts/refusal.ts'
import { languageName, nameOfEntity } from '#parts/titles.ts'
import { WordDiff } from '#parts/WordDiff.tsx'
import { UserLink } from '#parts/UserLink.tsx'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './Entries.module.css'
import { translationTexts } from './texts.ts'

interface Props {
  entries: HistoryEntry[]
  onRollback: (entry: HistoryEntry) => void
  onBatch: (batch: string) => void
}

/** The changes, as a timeline of cards. */
export function Entries({ entries, onRollback, onBatch }: Props) {
  const texts = translationTexts.use()
  return (
    <ol className={css.timeline} aria-label={texts.title} data-list>
      {entries.map((entry) => (
        <li key={entry._id} className={css.entry} data-list-row data-rolled-back={entry.isRolledBack || undefined}>
          <article className={css.card} data-entry={entry._id}>
            <About entry={entry} />
            <Who entry={entry} onBatch={onBatch} />
            {isRollable(entry) && <Rollback entry={entry} onRollback={onRollback} />}
            <Change entry={entry} />
            {!entry.isRolledBack && <NotThere entry={entry} />}
            {entry.isRolledBack && <RolledBack entry={entry} />}
          </article>
        </li>
      ))}
    </ol>
  )
}

/** A change can be rolled back once, and only while its entity exists. */
const isRollable = ({ isRolledBack, entityState }: HistoryEntry) => !isRolledBack && entityState === 'present'

/**
 * Why a change cannot be rolled back, with a link to the trash for users who may restore the entity; nothing if its
 * texts are hidden.
 */
function NotThere({ entry }: { entry: HistoryEntry }) {
  const texts = translationTexts.use()
  if (entry.entityState === 'present' || isHidden(entry)) return null
  return (
    <p className={css.notShown}>
      {entry.entityState === 'trashed' ? texts.trashed : texts.gone} <ToTrash entry={entry} />
    </p>
  )
}

/** Link to the trash, for users who may restore the change's entity. */
export function ToTrash({ entry: { canRestore, entityType } }: { entry: HistoryEntry }) {
  const { toTrash } = translationTexts.use()
  return canRestore ? (
    <Link to="/trash" search={{ kind: entityType }} className={css.toTrash}>
      {toTrash}
    </Link>
  ) : null
}

const isHidden = ({ oldValue, newValue }: HistoryEntry) => !oldValue && !newValue

/** What changed, unless its entity was deleted and the texts are hidden from the user. */
function Change({ entry }: { entry: HistoryEntry }) {
  const { notShown } = translationTexts.use()
  const { oldValue, newValue, language } = entry
  if (isHidden(entry)) return <p className={css.notShown}>{notShown}</p>
  return (
    <div className={css.text}>
      <WordDiff short before={oldValue} after={newValue} lang={language} />
    </div>
  )
}

function About({ entry }: { entry: HistoryEntry }) {
  const texts = translationTexts.use()
  const { kinds } = useMessages()
  const { entityType, entityId, entityState } = entry
  const { title, lang, language, field } = useNames(entry)
  return (
    <Row wrap className={css.about}>
      <Badge tone={AREAS[entityType].tone}>{kinds[entityType].name}</Badge>
      {entityState === 'present' ? (
        <Link to={screenOf(entityType, entityId)} className={css.title} lang={lang} title={title}>
          {title}
        </Link>
      ) : (
        <span className={css.title} lang={lang} title={title}>
          {title}
        </span>
      )}
      <Muted>{texts.where(language, field)}</Muted>
    </Row>
  )
}

function Rollback({ entry, onRollback }: { entry: HistoryEntry; onRollback: (entry: HistoryEntry) => void }) {
  const texts = translationTexts.use()
  const refusal = useRefusal()
  const { title, language, field } = useNames(entry)
  return (
    <Button
      size="small"
      icon={Undo2}
      className={css.rollback}
      aria-label={texts.rollbackOf(field, title, language)}
      reason={refusal('rollback', entry.entityType, entry.updatedById ?? undefined)}
      onClick={() => onRollback(entry)}
    >
      {texts.rollback}
    </Button>
  )
}

function Who({ entry, onBatch }: { entry: HistoryEntry; onBatch: (batch: string) => void }) {
  const texts = translationTexts.use()
  const language = useLanguage()
  const { updatedBy, updatedById, createdAt, origin, batch, ai } = entry
  const source = texts.origins[origin]
  return (
    <p className={css.who}>
      {updatedById ? (
        <UserLink _id={updatedById} username={updatedBy} />
      ) : (
        <span lang={guessLanguage(updatedBy)}>{updatedBy}</span>
      )}
      <span aria-hidden>·</span>
      <time dateTime={createdAt}>{longDateTime(createdAt, language)}</time>
      {ai ? <AiBadge run={ai} /> : source && <Badge>{source}</Badge>}
      {batch && !entry.isRolledBack && (
        <button type="button" className={css.batch} onClick={() => onBatch(batch)}>
          {texts.ofBatch}
        </button>
      )}
    </p>
  )
}

function RolledBack({ entry: { rolledBackBy, rolledBackAt, rollbackReason } }: { entry: HistoryEntry }) {
  const texts = translationTexts.use()
  const language = useLanguage()
  return (
    <Row gap={2} align="stretch" className={css.rolledBack}>
      <Undo2 size={14} aria-hidden />
      <div>
        <p className={css.by}>{texts.rolledBackBy(rolledBackBy ?? '', longDateTime(rolledBackAt ?? '', language))}</p>
        {rollbackReason && <p className={css.reason}>{rollbackReason}</p>}
      </div>
    </Row>
  )
}

/** Display names of a change's entity, language and field. */
export function useNames({ entityType, entityTitle, entityTranslations, language, field }: HistoryEntry) {
  const texts = translationTexts.use()
  const locale = useLanguage()
  const { text, lang } = nameOfEntity({ title: entityTitle, translations: entityTranslations }, locale) ?? {
    text: texts.untitled,
    lang: undefined,
  }
  return {
    title: text,
    lang,
    language: languageName(language, locale),
    field: useFieldNames(entityType)(field),
  }
}

export function EntriesSkeleton({ entries }: { entries: number }) {
  return (
    <div className={css.timeline} aria-hidden>
      {Array.from({ length: entries }, (_, entry) => (
        <div key={entry} className={css.entry}>
          <div className={css.card}>
            <Skeleton width="min(360px, 70%)" height={18} />
            <Skeleton width="90%" />
            <Skeleton width="min(240px, 50%)" height={10} />
          </div>
        </div>
      ))}
    </div>
  )
}
