import { type TrashRow, trashApi } from '@mokuroku/contract/trash'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call } from '#api/call.ts'
import { toastFailure } from '#api/queryClient.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { TextField } from '#ui/Field.tsx'
import { toast } from '#ui/toast.ts'
import { FormButtons } from '#ui/FormButtons.tsx'
import { Stack } from '#ui/layout.tsx'
import { trashTexts } from './texts.ts'
import css from './Trash.module.css'
import { useTitleOfRow } from './TrashColumns.tsx'

/**
 * Permanent deletion, confirmed by typing a word: a name would be hard to type in a script that the user cannot write.
 */
export function Purge({ row, onClose }: { row: TrashRow; onClose: () => void }) {
  const texts = trashTexts.use()
  const form = useId()
  const title = useTitleOfRow()(row)
  const [typed, setTyped] = useState('')
  const isTyped = typed.trim().toLowerCase() === texts.word
  const purge = useMutation({
    mutationFn: () => call(trashApi.purge, { kind: row.kind, id: row._id }),
    meta: { quiet: true },
    onSuccess: () => {
      toast.success(texts.purged)
      onClose()
    },
    onError: (error) => {
      toastFailure(texts.purgeFailed, error, isNotFound(error) ? texts.notInTrash : undefined)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isTyped && !purge.isPending) purge.mutate()
  }
  return (
    <Dialog
      title={texts.purgeTitle}
      onClose={onClose}
      footer={
        <FormButtons
          onCancel={onClose}
          form={form}
          variant="danger"
          busy={purge.isPending}
          reason={isTyped ? undefined : texts.typeFirst(texts.word)}
        >
          {texts.purge}
        </FormButtons>
      }
    >
      <Stack as="form" id={form} gap={3} className={css.asked} onSubmit={submit}>
        <p className={css.name} lang={title.lang}>
          {title.text}
        </p>
        <p className={css.hint}>{texts.purgeHint}</p>
        <TextField
          label={texts.type(texts.word)}
          value={typed}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Stack>
    </Dialog>
  )
}
