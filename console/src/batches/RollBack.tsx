import type { Batch } from '@mokuroku/contract/batches'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { previewRollback, startRollback } from '#api/batches.ts'
import { useStoredState } from '#parts/useStoredState.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { TextArea } from '#ui/Field.tsx'
import { toast } from '#ui/toast.ts'
import { useIsMounted } from '#ui/useIsMounted.ts'
import { FormButtons } from '#ui/FormButtons.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { batchTexts } from './texts.ts'

/** Asks for the reason, previews what would be rolled back, and starts the rollback. */
export function RollBack({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const texts = batchTexts.use()
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const form = useId()
  const [reason, setReason] = useStoredState(`reason for rolling back ${batch._id}`, '')
  const [isTried, setTried] = useState(false)
  const forgetAndClose = () => {
    setReason('')
    onClose()
  }
  const meta = { failure: texts.rollBackFailed }
  const preview = useMutation({ mutationFn: (why: string) => previewRollback(batch._id, why), meta })
  const rollback = useMutation({
    mutationFn: (why: string) => startRollback(batch._id, why),
    meta,
    onSuccess: (id) => {
      toast.success(batchTexts.get().started)
      forgetAndClose()
      if (isMounted()) void navigate({ to: '/batches/$id', params: { id } })
    },
  })
  const { changes, unchanged, refused } = preview.data ?? {}
  const refusal = changes?.count === 0 ? texts.nothing : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (reason.trim() === '' || refusal || preview.isPending || rollback.isPending) return
    if (changes) rollback.mutate(reason)
    else preview.mutate(reason)
  }
  return (
    <Dialog
      title={texts.rollBackTitle}
      onClose={onClose}
      footer={
        <FormButtons
          onCancel={forgetAndClose}
          form={form}
          variant="primary"
          reason={refusal}
          busy={preview.isPending || rollback.isPending}
        >
          {preview.data ? texts.rollBack : texts.preview}
        </FormButtons>
      }
    >
      <Stack as="form" id={form} noValidate gap={4} onSubmit={submit}>
        <Muted as="p">{texts.rollBackHint}</Muted>
        <TextArea
          required
          label={texts.reason}
          error={isTried && reason.trim() === '' ? texts.needsReason : undefined}
          value={reason}
          rows={2}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <p role="status">{changes && texts.would(changes.count, unchanged?.count ?? 0, refused?.count ?? 0)}</p>
      </Stack>
    </Dialog>
  )
}
