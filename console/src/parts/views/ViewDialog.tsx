import { ApiError } from '@mokuroku/contract/call'
import type { Translated } from '@mokuroku/contract/kinds'
import { type View, type ViewInput, viewsApi } from '@mokuroku/contract/views'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { call, isDoneByOthers } from '#api/call.ts'
import { toastFailure } from '#api/queryClient.ts'
import { useKeptState } from '#parts/useKeptState.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import { useMessages } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { TextField } from '#ui/Field.tsx'
import { toast } from '#ui/toast.ts'
import { useIsMounted } from '#ui/useIsMounted.ts'
import { FormButtons } from '#ui/FormButtons.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { viewDialogTexts } from './dialogTexts.ts'
import css from './Views.module.css'
import { searchOf, type ViewQuery } from './viewQuery.ts'

interface Props {
  kind: Translated
  /** The view to edit; undefined: a new one. */
  view?: View
  /** The list's current filters, order and columns; undefined on other screens. */
  current: ViewQuery | undefined
  onClose: () => void
}

/** What was entered, and the version that the edit started from. */
interface Entered {
  name?: string
  shared?: boolean
  base?: number | undefined
}

/** Dialog for a saved view: its name, sharing, content, and deletion. */
export function ViewDialog({ kind, view, current, onClose }: Props) {
  const texts = viewDialogTexts.use()
  const { common } = useMessages()
  const form = useId()
  const [entered, setEntered] = useKeptState<Entered>(`view ${view?._id ?? kind}`, {})
  const [opened] = useState(view?.version)
  const { name = view?.name ?? '', shared = view?.shared ?? false, base = opened } = entered
  const enter = (change: Entered) => setEntered({ ...entered, base, ...change })
  const [replace, setReplace] = useState(false)
  const { save, remove, isGone } = useChanges({ kind, view, base, onClose })
  const query = (view && !replace) || !current ? view : current
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!query || name.trim() === '' || save.isPending) return
    const { filters, sort, columns } = query
    save.mutate({ name: name.trim(), entityType: kind, filters, sort, columns, shared })
  }
  const footer = (
    <>
      {view && !isGone && (
        <Button icon={Trash2} busy={remove.isPending} onClick={() => remove.mutate(view)}>
          {common.delete}
        </Button>
      )}
      <FormButtons
        onCancel={onClose}
        form={form}
        variant="primary"
        busy={save.isPending}
        reason={name.trim() === '' ? texts.nameless : undefined}
      >
        {isGone ? texts.createAnew : view ? texts.update : texts.create}
      </FormButtons>
    </>
  )
  return (
    <Dialog title={view ? texts.title : texts.newTitle} onClose={onClose} footer={footer}>
      <Stack as="form" id={form} gap={3} onSubmit={submit}>
        {isGone && <p role="alert">{texts.gone}</p>}
        <TextField
          label={texts.name}
          value={name}
          maxLength={80}
          autoComplete="off"
          onChange={({ currentTarget }) => enter({ name: currentTarget.value })}
        />
        <Check checked={shared} onChange={(on) => enter({ shared: on })} label={texts.share} />
        {view && current && <Check checked={replace} onChange={setReplace} label={texts.replace} />}
        {!view && <Muted as="p">{texts.kept}</Muted>}
      </Stack>
    </Dialog>
  )
}

function Check({ checked, label, onChange }: { checked: boolean; label: string; onChange: (on: boolean) => void }) {
  return (
    <label className={css.check}>
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  )
}

interface Changes extends Pick<Props, 'kind' | 'onClose'> {
  view: View | undefined
  /** The version that the edit started from. */
  base: number | undefined
}

function useChanges({ kind, view, base, onClose }: Changes) {
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const texts = viewDialogTexts.get()
  /** Changed or deleted in the meantime, as the user has been shown: saving again overwrites it, or creates it anew. */
  const [conflict, setConflict] = useState<'changed' | 'deleted'>()
  const isGone = conflict === 'deleted'
  const save = useMutation({
    mutationFn: (body: ViewInput) =>
      view && !isGone
        ? call(viewsApi.update, { id: view._id, body, base: conflict ? view.version : (base ?? view.version) })
        : call(viewsApi.create, { body }),
    meta: { quiet: true },
    onError: (error) => {
      // The dialog says so, and what to do.
      if (view && isNotFound(error)) return setConflict('deleted')
      if (error instanceof ApiError && error.status === 412) setConflict('changed')
      toastFailure(texts.saveFailed, error)
    },
    onSuccess: (saved) => {
      toast.success(viewDialogTexts.get().saved(saved.name))
      onClose()
      // Then its columns are in the URL, too, so that the list counts as this view.
      if (!view && isMounted())
        void navigate({ to: AREAS[kind].path, search: searchOf(saved), replace: true, resetScroll: false })
    },
  })
  const restore = useMutation({
    mutationFn: ({ name, entityType, filters, sort, columns, shared }: View) =>
      call(viewsApi.create, { body: { name, entityType, filters, sort, columns, shared } }),
    meta: { failure: texts.saveFailed },
  })
  const remove = useMutation({
    mutationFn: ({ _id: id }: View) => call(viewsApi.remove, { id }),
    meta: { failure: texts.deleteFailed },
    onSuccess: (done, gone) => {
      const deleted = viewDialogTexts.get().deleted(gone.name)
      if (isDoneByOthers(done)) toast.info(deleted)
      else offerUndo(deleted, () => restore.mutateAsync(gone))
      onClose()
    },
  })
  return { save, remove, isGone }
}
