import { type BatchRollback, type BatchRollbackInput, type HistoryEntry, historyApi } from '@mokuroku/contract/history'
import { ApiError } from '@mokuroku/contract/call'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useId, useState } from 'react'
import { call } from '#api/call.ts'
import { joinSentences, messageOf, sentenceOf, serverMessage } from '#i18n/errors.ts'
import { useMessages } from '#i18n/messages.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { BatchPreview } from './BatchPreview.tsx'
import { BatchWho, useBatchFilter } from './BatchWho.tsx'
import css from './Panel.module.css'
import { ReasonField, useReason } from './RollbackPanel.tsx'
import { translationTexts } from './texts.ts'

/** Which changes to roll back: those of a user in a period of time, or those of a batch. */
type Which = Pick<BatchRollbackInput, 'by' | 'batch'>

interface Props {
  /** Id of the batch; undefined: the user enters a username and a period. */
  batch?: string
  /** The changes on screen, whose authors are suggested. */
  seen: HistoryEntry[]
  onClose: () => void
}

/** Rolls back several changes: first a preview, then the reason. */
export function BatchPanel({ batch, seen, onClose }: Props) {
  const { batch: texts } = translationTexts.use()
  const form = useId()
  const who = useBatchFilter(seen)
  const { reason, error, setReason, valid } = useReason(batch ?? 'a batch')
  const [which, setWhich] = useState<Which | undefined>(batch === undefined ? undefined : { batch })
  const preview = usePreview()
  const run = useRun(() => setReason(''))
  const cancel = () => {
    setReason('')
    onClose()
  }
  const showPreview = (next: Which) => {
    setWhich(next)
    preview.mutate(next)
  }
  const previewBatch = useEffectEvent(() => which && preview.mutate(which))
  useEffect(() => {
    previewBatch()
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (preview.isPending || run.isPending) return
    if (!preview.data || !which) {
      const by = batch === undefined ? who.valid() : undefined
      if (by ?? batch) showPreview({ by, batch })
      return
    }
    const given = valid()
    if (given !== undefined) run.mutate({ ...which, reason: given, dryRun: false })
  }
  const step = run.data ? 'done' : preview.data ? 'preview' : batch === undefined ? 'who' : 'loading'
  return (
    <Dialog
      wide
      title={batch === undefined ? texts.title : texts.titleOfBatch}
      onClose={onClose}
      footer={
        <Buttons
          {...{ form, step, onClose }}
          onCancel={cancel}
          preview={preview.data}
          result={run.data}
          busy={preview.isPending || run.isPending}
          onBack={batch === undefined ? preview.reset : undefined}
        />
      }
    >
      <Stack as="form" id={form} noValidate gap={4} onSubmit={submit}>
        {step !== 'done' && <Muted as="p">{batch === undefined ? texts.hint : texts.hintOfBatch}</Muted>}
        {step === 'who' && <BatchWho who={who} seen={seen} />}
        {preview.isError && (
          <p role="alert" className={css.fault}>
            {joinSentences(texts.previewFailed, faultOf(preview.error))}
          </p>
        )}
        {preview.isPending && (
          <div aria-busy="true">
            <p role="status" className="sr-only">
              {texts.previewing}
            </p>
            <SkeletonLines lines={3} height={56} />
          </div>
        )}
        {step === 'preview' && preview.data && (
          <>
            <BatchPreview result={preview.data} />
            {preview.data.count > 0 && <ReasonField value={reason} error={error} onChange={setReason} />}
          </>
        )}
        {run.data && <BatchPreview result={run.data} />}
      </Stack>
    </Dialog>
  )
}

interface ButtonsProps {
  form: string
  step: 'who' | 'loading' | 'preview' | 'done'
  preview: BatchRollback | undefined
  result: BatchRollback | undefined
  busy: boolean
  onBack: (() => void) | undefined
  onCancel: () => void
  onClose: () => void
}

function Buttons({ form, step, preview, result, busy, onBack, onCancel, onClose }: ButtonsProps) {
  const { batch: texts, panel } = translationTexts.use()
  const { common } = useMessages()
  const undo = useUndo(onClose)
  if (step === 'done') {
    return (
      <>
        {result?.batch && result.count > 0 && (
          <Button busy={undo.isPending} onClick={() => result.batch && undo.mutate(result.batch)}>
            {texts.undo}
          </Button>
        )}
        <Button variant="primary" data-autofocus onClick={onClose}>
          {texts.close}
        </Button>
      </>
    )
  }
  const count = preview?.count ?? 0
  return (
    <>
      {step === 'preview' && onBack ? (
        <Button onClick={onBack}>{texts.back}</Button>
      ) : (
        <Button onClick={onCancel}>{common.cancel}</Button>
      )}
      {step === 'preview' ? (
        <Button
          type="submit"
          form={form}
          variant="primary"
          busy={busy}
          reason={count === 0 ? texts.nothing : undefined}
        >
          {count === 0 ? panel.confirm : texts.run(count)}
        </Button>
      ) : (
        <Button type="submit" form={form} variant="primary" busy={busy}>
          {texts.preview}
        </Button>
      )}
    </>
  )
}

const usePreview = () =>
  useMutation({
    // The request requires a reason; a preview does not store it.
    mutationFn: (which: Which) => call(historyApi.rollbackAll, { body: { ...which, reason: '-', dryRun: true } }),
    meta: { quiet: true },
  })

function useRun(onSuccess: () => void) {
  const { panel } = translationTexts.use()
  return useMutation({
    mutationFn: (body: BatchRollbackInput) => call(historyApi.rollbackAll, { body }),
    meta: { failure: panel.failed },
    onSuccess,
  })
}

/** A rollback is itself a batch, and is undone as one. */
function useUndo(onDone: () => void) {
  const { panel, batch: texts } = translationTexts.use()
  return useMutation({
    mutationFn: (batch: string) => call(historyApi.rollbackAll, { body: { batch, reason: panel.undoReason } }),
    meta: { failure: panel.failed },
    onSuccess: () => {
      toast.success(texts.undone)
      onDone()
    },
  })
}

/** For invalid input, the server's message is more specific than the one for the status. */
function faultOf(error: Error): string {
  if (!(error instanceof ApiError) || error.status !== 400) return messageOf(error)
  const first = error.errors?.[0]
  return first ? sentenceOf(first) : (serverMessage(error) ?? messageOf(error))
}
