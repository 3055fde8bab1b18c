import type { Translated } from '@mokuroku/contract/kinds'
import { useEffect, useState } from 'react'
import { useMe } from '#api/session.ts'
import { editorTexts } from '#parts/entityEditor/texts.ts'
import { useMessages } from '#i18n/messages.ts'
import type { Area } from '#parts/area/area.ts'
import { catalogueRefusals } from '#parts/area/catalogueRefusals.ts'
import { EmptyArea } from '#parts/area/EmptyArea.tsx'
import { PermissionsLink } from '#parts/PermissionsLink.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { useSaveWithPending } from '#parts/pendingValues.ts'
import { messageOf, reasonOf } from '#i18n/errors.ts'
import { isForbidden } from '#lib/errorStatus.ts'
import { toastFailure } from '#api/queryClient.ts'
import { site } from '#lib/site.ts'
import { ListChecks, Lock } from 'lucide-react'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Stack } from '#ui/layout.tsx'
import { Failed } from '#ui/Loaded.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { createDesk, type Desk } from './desk.ts'
import { EntityPane } from './EntityPane.tsx'
import { FieldPane } from './FieldPane.tsx'
import { currentOf, type Queue } from './queue.ts'
import { ProgressLine, QueuePane } from './QueuePane.tsx'
import { reportLost } from './reportLost.ts'
import { isUnfiltered, type Task } from './target.ts'
import { workTexts } from './texts.ts'
import { type DeskKeys, useDeskKeys } from './useDeskKeys.ts'
import css from './Work.module.css'

/** Interval at which reservations are renewed, in milliseconds: twice within their lifetime. */
const RENEW_MS = 2 * 60_000

interface Props {
  area: Area
  task: Task
  filter: Readonly<Record<string, string>>
}

/** The desk, unless the user may edit nothing of its kind: reserving entities would be refused. */
export function DeskScreen(props: Props) {
  const { _id: user } = useMe()
  const reason = useRefusal()('edit', props.area.kind as Translated, user)
  const [isOpen, setOpen] = useState(false)
  // It stays open if the permission is lost meanwhile: what has been typed there is not saved yet.
  if (reason === undefined && !isOpen) setOpen(true)
  return isOpen ? <DeskOf {...props} /> : <Refused reason={reason} />
}

/** The queue, the entity, and the one field to fill in. */
function DeskOf({ area, task, filter }: Props) {
  const { _id: user } = useMe()
  const [desk] = useState(() =>
    createDesk({
      area,
      task,
      filter,
      user,
      wanted: site.get().languages,
      onMerged: () => toast.info(editorTexts.get().merged),
      onLost: reportLost,
    }),
  )
  useReservation(desk)
  const queue = desk.use()
  const entry = currentOf(queue)
  const { save, ...others } = actsOf(desk)
  const acts = { ...others, save: useSaveWithPending(save).start }
  useDeskKeys(acts)
  // There is no queue to show beside it, or the user may edit nothing of it.
  if (queue.entries.length === 0 && (queue.total === 0 || isForbidden(queue.failure)))
    return <Instead {...{ desk, queue, filter }} />
  return (
    <>
      <ProgressLine desk={desk} queue={queue} />
      <Stack gap={4} className={css.desk}>
        <QueuePane desk={desk} queue={queue} />
        {entry?.entity ? (
          <>
            <EntityPane desk={desk} entry={entry} onTake={acts.take} />
            <FieldPane key={entry.id} desk={desk} entry={entry} acts={acts} />
          </>
        ) : (
          <div className={css.instead}>
            <Instead {...{ desk, queue, filter }} />
          </div>
        )}
      </Stack>
    </>
  )
}

/** Reserves entities while the desk is open, and releases them when it is left. */
function useReservation(desk: Desk) {
  useEffect(() => {
    void desk.start()
    const renewing = setInterval(() => void desk.renew(), RENEW_MS)
    const closing = () => desk.leave(true)
    addEventListener('pagehide', closing)
    return () => {
      clearInterval(renewing)
      removeEventListener('pagehide', closing)
      desk.leave()
    }
  }, [desk])
}

/** The images to choose from, without “no image”. */
const IMAGES = '[data-work-images] input[type=radio]:not([value=""])'

/** The actions of keys and buttons. */
function actsOf(desk: Desk): DeskKeys {
  const current = () => currentOf(desk.get())
  return {
    save: () => {
      if (current() && !current()?.stale && !desk.save()) toast.info(workTexts.get().nothing)
    },
    skip: desk.skip,
    dismiss: () => {
      if (current() && !desk.dismiss()) toast.info(workTexts.get().noFinding)
    },
    undo: () => void takeBack(desk),
    take: (position) => {
      const image = document.querySelectorAll<HTMLElement>(IMAGES)[position]
      image?.click()
      // So that it is announced.
      image?.focus()
      const entry = current()
      const chosen = entry?.suggestions?.[position]
      if (!entry || !chosen) return
      desk.setText(entry.id, chosen.text, chosen.run ? [chosen.run] : [])
      // The user continues editing in the field.
      document.querySelector<HTMLElement>('[data-work-field]')?.focus()
    },
  }
}

async function takeBack(desk: Desk) {
  const texts = workTexts.get()
  try {
    if (await desk.undo()) toast.success(texts.undone)
    else toast.info(texts.nothingToUndo)
  } catch (error) {
    toastFailure(texts.updateFailed, error)
  }
}

/** Shown instead of an entity: it is loading, the queue failed, nothing is left, or there are no entities at all. */
function Instead({ desk, queue, filter }: Pick<Props, 'filter'> & { desk: Desk; queue: Queue }) {
  const texts = workTexts.use()
  const me = useMe()
  const { failure, total, current, entries, progress, from } = queue
  if (isForbidden(failure)) return <Refused reason={reasonOf(failure)} />
  if (failure) return <Failed what={texts.failed} hint={messageOf(failure)} retry={desk.renew} />
  const isSaving = entries.some(({ state }) => state === 'saving')
  if (total === undefined || current || isSaving) {
    return (
      <div aria-busy="true">
        <p role="status" className="sr-only">
          {texts.states.loading}
        </p>
        <Skeleton height={320} />
      </div>
    )
  }
  // For users who may edit only their own entries, the queue has only those.
  const hasAll = !catalogueRefusals(me, desk.area.kind as Translated).edit({})
  if (total === 0 && entries.length === 0 && isUnfiltered(filter) && hasAll) return <EmptyArea area={desk.area} />
  const skipped = progress.skipped > 0 || entries.some(({ state }) => state === 'skipped')
  const hint = skipped
    ? texts.doneSkipped
    : total > 0 && entries.length === 0 && from === ''
      ? texts.reserved
      : undefined
  return (
    <EmptyState icon={ListChecks} title={texts.done} hint={hint}>
      {total > 0 && <Button onClick={() => void desk.restart()}>{skipped ? texts.again : texts.refresh}</Button>}
    </EmptyState>
  )
}

/** Which permission is missing. */
function Refused({ reason }: { reason: string | undefined }) {
  const { errors } = useMessages()
  return (
    <EmptyState alert icon={Lock} title={errors[403]} hint={reason}>
      <PermissionsLink />
    </EmptyState>
  )
}
