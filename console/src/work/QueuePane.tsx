import { Check, CircleAlert, CornerDownRight, type LucideIcon, Merge, Minus, ShieldCheck, Trash2 } from 'lucide-react'
import { MAX_TOTAL } from '@mokuroku/contract/lists'
import { useState } from 'react'
import { joinSentences } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { Cover } from '#parts/Cover.tsx'
import type { MediaRow } from '@mokuroku/contract/media'
import { Button } from '#ui/Button.tsx'
import { Stack } from '#ui/layout.tsx'
import { Spinner } from '#ui/Spinner.tsx'
import type { Desk } from './desk.ts'
import { perMinute } from './progress.ts'
import { type Entry, type EntryState, failedIn, isEditable, type Queue } from './queue.ts'
import { workTexts } from './texts.ts'
import css from './Work.module.css'

/** How many finished entries stay visible. */
const DONE_SHOWN = 4

const ICONS: Partial<Record<EntryState, LucideIcon>> = {
  saved: Check,
  merged: Merge,
  dismissed: ShieldCheck,
  skipped: CornerDownRight,
  failed: CircleAlert,
  gone: Trash2,
  waiting: Minus,
}

/** Progress bar, with the progress in words, and the way to what could not be saved. */
export function ProgressLine({ desk, queue }: { desk: Desk; queue: Queue }) {
  const { progress, total, current } = queue
  const failed = failedIn(queue)
  const other = failed.find(({ id }) => id !== current)
  const texts = workTexts.use()
  const language = useLanguage()
  const of = Math.max(progress.of, progress.done)
  const rate = perMinute(progress)?.toLocaleString(language)
  const number = (count: number) =>
    count > MAX_TOTAL ? `${MAX_TOTAL.toLocaleString(language)}+` : count.toLocaleString(language)
  return (
    <div className={css.progress}>
      <progress max={Math.max(1, of)} value={progress.done} aria-label={texts.title} />
      <p>
        {/* Nothing until the queue is known, rather than "0 of 0". */}
        <span role="status">{of > 0 && texts.progress(number(progress.done), number(of))}</span>
        {rate && <span>{texts.rate(rate)}</span>}
        {progress.skipped > 0 && <span>{texts.skipped(progress.skipped)}</span>}
        {total !== undefined && <span>{texts.left(number(total))}</span>}
        <span role="status" className={css.unsaved}>
          {failed.length > 0 && texts.unsaved(failed.length)}
        </span>
        {other && (
          <Button size="small" variant="quiet" onClick={() => desk.goTo(other.id)}>
            {texts.showUnsaved}
          </Button>
        )}
      </p>
    </div>
  )
}

/** The next entities, and the results of the last ones. The user can go back to failed and skipped ones. */
export function QueuePane({ desk, queue }: { desk: Desk; queue: Queue }) {
  const texts = workTexts.use()
  // On phones, the queue is collapsed to leave room for the field.
  const [isOpen] = useState(() => matchMedia('(width >= 48em)').matches)
  const { entries, current } = queue
  const at = entries.findIndex(({ id }) => id === current)
  const shown = entries.slice(Math.max(0, (at < 0 ? entries.length : at) - DONE_SHOWN))
  return (
    <details className={css.queue} open={isOpen}>
      <summary>{texts.queue}</summary>
      <ol aria-label={texts.queue}>
        {shown.map((entry) => (
          <Row key={entry.id} desk={desk} entry={entry} isCurrent={entry.id === current} />
        ))}
      </ol>
    </details>
  )
}

interface RowProps {
  desk: Desk
  entry: Entry
  isCurrent: boolean
}

function Row({ desk, entry, isCurrent }: RowProps) {
  const texts = workTexts.use()
  const language = useLanguage()
  const { state, entity, reason } = entry
  const name = entity && desk.area.nameOf(entity, language)
  const Icon = ICONS[state]
  const says = state === 'failed' && reason ? joinSentences(texts.notSaved, reason) : texts.states[state]
  const content = (
    <>
      {entity && 'cover' in entity && <Cover cover={entity.cover as MediaRow['cover']} entity={entity} size="row" />}
      <Stack as="span" className={css.rowText}>
        <span lang={name?.lang} className={`line-clamp ${css.rowTitle}`} title={name?.text}>
          {name?.text ?? '…'}
        </span>
        <span className={state === 'waiting' ? 'sr-only' : css.rowState}>{says}</span>
      </Stack>
      {state === 'saving' ? <Spinner size={14} /> : Icon && state !== 'waiting' && <Icon size={16} aria-hidden />}
    </>
  )
  return (
    <li className={css.row} data-state={state} aria-current={isCurrent ? 'true' : undefined}>
      {isEditable(entry) || state === 'skipped' ? (
        <button type="button" onClick={() => desk.goTo(entry.id)}>
          {content}
        </button>
      ) : (
        <div>{content}</div>
      )}
    </li>
  )
}
