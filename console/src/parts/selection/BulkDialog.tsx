import type { Translated } from '@mokuroku/contract/kinds'
import { useIsMutating, useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { previewBulk, startBulk } from '#api/batches.ts'
import { newKey } from '#api/call.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import type { Area, Stored } from '#parts/area/area.ts'
import { pendingValue } from '#parts/pendingValues.ts'
import { useKeptState } from '#parts/useKeptState.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/FormButtons.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import type { BulkAction, Change } from './actions.ts'
import { BulkFields } from './BulkFields.tsx'
import { BulkPreviewList } from './BulkPreviewList.tsx'
import { bulkTexts } from './texts.ts'

interface Props {
  kind: Translated
  action: BulkAction
  /** The entities to change: by ids, or all that match the list's filters. */
  target: { ids: string[] } | { filter: Record<string, unknown> }
  /** Their number. */
  size: number
  /** Those whose names are known. */
  known: readonly Stored[]
  nameOf: Area['nameOf']
  onClose: () => void
  /** Called with the id of the started batch. */
  onStarted: (batch: string) => void
}

/** Asks what to change, previews the result for each entity, and starts the batch. */
export function BulkDialog({ kind, action, target, size, known, nameOf, onClose, onStarted }: Props) {
  const texts = bulkTexts.use()
  const language = useLanguage()
  const form = useId()
  const isDelete = action.type === 'delete'
  const [change, setChange] = useKeptState<Change | undefined>(
    `${action.name} of ${kind}`,
    isDelete ? { delete: true } : undefined,
  )
  const preview = useQuery({
    queryKey: ['bulkPreview', kind, target, change],
    queryFn: () => previewBulk(kind, { ...target, change: change ?? {} }),
    enabled: change !== undefined,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  })
  const [key] = useState(newKey)
  const start = useMutation({
    mutationFn: (chosen: Change) => startBulk(kind, { ...target, change: chosen }, key),
    meta: { failure: texts.failed },
    onSuccess: onStarted,
  })
  const changes = preview.data?.changes.count
  const reason = change === undefined ? texts.choose : changes === 0 ? texts.nothing : undefined
  const isCreating = useIsMutating({ mutationKey: pendingValue('creation') }) > 0
  const isWaiting = isCreating || (change !== undefined && changes === undefined && !preview.isError)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (change && changes && !isCreating && !start.isPending) start.mutate(change)
  }
  return (
    <Dialog
      title={texts.on(action.label, size, count(size, language))}
      onClose={onClose}
      footer={
        <FormButtons
          onCancel={onClose}
          form={form}
          variant="primary"
          isQuestion={isDelete}
          reason={preview.isError ? texts.previewFailed : reason}
          busy={isWaiting || start.isPending}
        >
          {isDelete ? texts.delete : texts.apply}
        </FormButtons>
      }
    >
      <Stack as="form" id={form} noValidate gap={3} onSubmit={submit}>
        <BulkFields action={action} change={change} onChange={setChange} />
        {isDelete && <Muted as="p">{texts.restorable}</Muted>}
        <BulkPreviewList
          preview={preview}
          isDelete={isDelete}
          isChosen={change !== undefined}
          names={new Map(known.map((row) => [row._id, nameOf(row, language)]))}
        />
      </Stack>
    </Dialog>
  )
}
