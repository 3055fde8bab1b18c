import type { Batch } from '@mokuroku/contract/batches'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Undo2, X } from 'lucide-react'
import { useRef } from 'react'
import { canRollBack, isEnded, startRollback, useBatch, useRollback } from '#api/batches.ts'
import { joinSentences } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { count } from '#lib/sizes.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Muted } from '#ui/layout.tsx'
import { focusLastRow } from '#ui/escapeToRows.ts'
import { onEscape } from '#ui/onEscape.ts'
import { formatShortcut } from '#ui/useShortcut.ts'
import css from './SelectionBar.module.css'
import { bulkTexts } from './texts.ts'

/** What a batch did with the items that it changed. `written`: it created some and changed others. */
type Effect = 'changed' | 'created' | 'written' | 'deleted' | 'restored' | 'merged'

/** What a batch and its rollback say of their progress. */
type Ran = NonNullable<Batch['rollback']>

interface Props {
  id: string
  /** Only an import knows what it created; of other batches, the change says it. */
  effectOf?: (batch: Batch) => Effect
  onClose: () => void
}

/** The progress of a batch, then its result, with a button to undo it. */
export function BatchOutcome({ id, effectOf = effectOfChange, onClose }: Props) {
  const texts = bulkTexts.use()
  const language = useLanguage()
  const close = useRef<HTMLButtonElement>(null)
  const batch = useBatch(id)
  const undo = useMutation({
    mutationFn: () => startRollback(id, texts.undoReason),
    meta: { failure: texts.undoFailed },
    onSuccess: () => {
      // After Ctrl+Z, the focus stays where it is.
      if (document.activeElement?.matches('[data-undo]')) close.current?.focus()
    },
  })
  // After a reload, the batch itself says that it was undone, also if somebody else did that.
  const rollback = useRollback(batch, undo.data)
  const isUndo = rollback !== null
  const shown = isUndo ? rollback : batch
  const dismiss = () => {
    // For a pointer, the page must not scroll.
    if (document.activeElement?.matches(':focus-visible')) focusLastRow()
    onClose()
  }
  return (
    <div className={css.outcome} {...onEscape(dismiss)}>
      <Progress batch={shown} />
      <div className={css.text}>
        <p role="status">
          <OutcomeText batch={shown} effect={batch ? effectOf(batch) : 'changed'} isUndo={isUndo} />
        </p>
        {rollback && isEnded(rollback) && (
          <Muted small>{texts.undoneBy(rollback.createdBy.username, longDateTime(rollback.createdAt, language))}</Muted>
        )}
      </div>
      {batch && rollback !== undefined && canRollBack({ ...batch, rollback }) && (
        <Button
          size="small"
          icon={Undo2}
          title={formatShortcut('Z')}
          data-undo
          busy={undo.isPending}
          onClick={() => undo.mutate()}
        >
          {texts.undo}
        </Button>
      )}
      <Link to="/batches/$id" params={{ id: undo.data ?? id }}>
        {texts.view}
      </Link>
      <IconButton ref={close} icon={X} label={`${texts.dismiss} (Esc)`} onClick={dismiss} />
    </div>
  )
}

function Progress({ batch }: { batch: Ran | undefined }) {
  const texts = bulkTexts.use()
  const language = useLanguage()
  if (batch && isEnded(batch)) return null
  const { done = 0, total } = batch ?? {}
  const label = texts.progress(count(done, language), total === undefined ? '…' : count(total, language))
  return <progress className={css.progress} max={total} value={batch ? done : undefined} aria-label={label} />
}

function effectOfChange({ what, change }: Batch): Effect {
  if (what === 'merge') return 'merged'
  if (change?.delete === true) return 'deleted'
  return change?.restore === true ? 'restored' : 'changed'
}

interface OutcomeTextProps {
  batch: Ran | undefined
  /** Of the batch, not of its undo. */
  effect: Effect
  isUndo: boolean
}

function OutcomeText({ batch, effect, isUndo }: OutcomeTextProps) {
  const texts = bulkTexts.use()
  const language = useLanguage()
  if (!batch || !isEnded(batch)) return isUndo ? texts.undoing : null
  const { state, changed, unchanged, refused } = batch
  const number = (value: number) => count(value, language)
  const failure = state === 'failed' || state === 'cancelled' ? texts.ended[state] : undefined
  const counts = [
    texts[isUndo ? 'undone' : 'done'][effect](changed, number(changed)),
    unchanged > 0 && texts.alsoUnchanged(number(unchanged)),
    refused > 0 && texts.alsoRefused(number(refused)),
  ].filter(Boolean)
  return joinSentences(failure ?? '', counts.join(' · '))
}
