import { type HistoryEntry, Reason } from '@mokuroku/contract/history'
import { TriangleAlert } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import * as z from 'zod/mini'
import { useStoredState } from '#parts/useStoredState.ts'
import { Notice } from '#parts/entityEditor/Notice.tsx'
import { WordDiff } from '#parts/WordDiff.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { TextArea } from '#ui/Field.tsx'
import { FormButtons } from '#ui/FormButtons.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { About } from './BatchPreview.tsx'
import css from './Panel.module.css'
import { translationTexts } from './texts.ts'
import { useRollback } from './useRollback.ts'

/** Asks for the reason, and asks again, showing the current text, if the text has changed since. */
export function RollbackPanel({ entry, onClose }: { entry: HistoryEntry; onClose: () => void }) {
  const { panel } = translationTexts.use()
  const form = useId()
  const { reason, error, setReason, valid } = useReason(entry._id)
  const close = () => {
    setReason('')
    onClose()
  }
  const { rollback, isPending, current, changedAgain } = useRollback(entry, () => {
    close()
    // The button that opened the panel is gone once the change is rolled back.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-entry="${entry._id}"] a`)?.focus())
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const given = valid()
    if (given !== undefined && !isPending) rollback(given)
  }
  return (
    <Dialog
      wide
      title={panel.title}
      onClose={onClose}
      footer={
        <FormButtons onCancel={close} form={form} variant="primary" busy={isPending}>
          {current === undefined ? panel.confirm : panel.overwrite}
        </FormButtons>
      }
    >
      <Stack as="form" id={form} noValidate gap={4} onSubmit={submit}>
        <About entry={entry} />
        {current !== undefined && (
          <Notice
            icon={TriangleAlert}
            title={panel.changed}
            hint={changedAgain ? panel.changedAgain : panel.changedHint}
          />
        )}
        <section className={css.becomes}>
          <Muted as="h3">{panel.becomes}</Muted>
          <WordDiff before={current ?? entry.newValue} after={entry.oldValue} lang={entry.language} />
          {entry.oldValue === '' && <Muted as="p">{panel.removed}</Muted>}
        </section>
        <ReasonField value={reason} error={error} onChange={setReason} />
      </Stack>
    </Dialog>
  )
}

interface ReasonProps {
  value: string
  error: string | undefined
  onChange: (reason: string) => void
}

export function ReasonField({ value, error, onChange }: ReasonProps) {
  const { reason, panel } = translationTexts.use()
  return (
    <TextArea
      required
      label={reason}
      hint={panel.reasonHint}
      error={error}
      value={value}
      rows={2}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/**
 * State of a reason field, validated on submit and from then on with every change. `valid` returns the trimmed reason,
 * or undefined if it is invalid.
 */
export function useReason(name: string) {
  const { panel } = translationTexts.use()
  const [reason, setReason] = useStoredState(`reason for ${name}`, '')
  const [isTried, setTried] = useState(false)
  const parsed = z.safeParse(Reason, reason)
  const error = parsed.success ? undefined : reason.trim() === '' ? panel.needsReason : panel.tooLong
  return {
    reason,
    setReason,
    error: isTried ? error : undefined,
    valid: (): string | undefined => {
      setTried(true)
      return parsed.data
    },
  }
}
