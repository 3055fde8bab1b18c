import { restoreOf, type TrashRow } from '@mokuroku/contract/trash'
import { useMutation } from '@tanstack/react-query'
import { ArchiveRestore, Trash2 } from 'lucide-react'
import { localized } from '#i18n/errors.ts'
import { call } from '#api/call.ts'
import { messages, useLanguage, useMessages } from '#i18n/messages.ts'
import { daysUntil } from '#lib/dates.ts'
import { fileSize } from '#lib/sizes.ts'
import { guessLanguage, type Text } from '#lib/text.ts'
import { Day } from '#parts/Day.tsx'
import { nameOfEntity } from '#parts/titles.ts'
import { AREAS } from '#lib/areas.ts'
import { ScoreBadge } from '#parts/MediaBadges.tsx'
import { Badge } from '#ui/Badge.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { Row, Truncate } from '#ui/layout.tsx'
import type { Column } from '#ui/Table.tsx'
import { toast } from '#ui/toast.ts'
import css from './Trash.module.css'
import { trashTexts } from './texts.ts'

/** Below this number of days, the remaining time is highlighted. */
const FEW = 3

export function useTrashColumns(onPurge: (row: TrashRow) => void): Column<TrashRow>[] {
  const texts = trashTexts.use()
  const { kinds, common } = useMessages()
  const { title, kind, deletedBy, deletedAt, daysLeft } = texts.columns
  return [
    { key: 'title', head: title, cell: (row) => <Title row={row} /> },
    {
      key: 'kind',
      head: kind,
      width: '9.25rem',
      cell: (row) => <Badge tone={AREAS[row.kind].tone}>{kinds[row.kind].name}</Badge>,
    },
    {
      key: 'deletedBy',
      head: deletedBy,
      width: '9.375rem',
      spare: 1,
      cell: ({ deletedBy: { username } }) => <span lang={guessLanguage(username)}>{username || texts.somebody}</span>,
    },
    {
      key: 'deletedAt',
      head: deletedAt,
      width: '10rem',
      spare: 2,
      cell: (row) => <Day moment={row.deletedAt} />,
    },
    { key: 'daysLeft', head: daysLeft, width: '7.75rem', spare: 3, cell: (row) => <DaysLeft {...row} /> },
    {
      key: 'actions',
      head: common.actions,
      width: '9.75rem',
      actions: true,
      cell: (row) => <Actions row={row} onPurge={() => onPurge(row)} />,
    },
  ]
}

/** The name of a deleted entity in the console's language, or else in any other. */
export function useTitleOfRow() {
  const texts = trashTexts.use()
  const language = useLanguage()
  return (row: TrashRow): Text => nameOfEntity(row, language) ?? { text: texts.untitled, lang: undefined }
}

function Title({ row }: { row: TrashRow }) {
  const title = useTitleOfRow()(row)
  return (
    <Row as="span" gap={2}>
      <Truncate className={css.name} lang={title.lang}>
        {title.text}
      </Truncate>
      {row.score !== undefined && <ScoreBadge score={row.score} />}
      {row.size !== undefined && <span className={css.size}>{fileSize(row.size)}</span>}
    </Row>
  )
}

function DaysLeft({ deletedAt, goneAt }: TrashRow) {
  const texts = trashTexts.use()
  const days = daysUntil(goneAt, deletedAt)
  const label = texts.days(days)
  return days < FEW ? <Badge tone="danger">{label}</Badge> : label
}

function Actions({ row, onPurge }: { row: TrashRow; onPurge: () => void }) {
  const texts = trashTexts.use()
  const title = useTitleOfRow()(row)
  const restore = useRestore(row)
  return (
    <span className={css.actions}>
      <Button
        once
        size="small"
        icon={ArchiveRestore}
        busy={restore.isPending}
        aria-label={texts.restoreOne(title.text)}
        reason={row.mayRestore ? undefined : localized(row.reason ?? '')}
        onClick={() => restore.mutate()}
      >
        {texts.restore}
      </Button>
      <IconButton
        size="small"
        icon={Trash2}
        destructive
        label={texts.purgeOne(title.text)}
        reason={row.mayPurge ? undefined : texts.adminOnly}
        onClick={onPurge}
      />
    </span>
  )
}

function useRestore({ kind, _id: id }: TrashRow) {
  const texts = trashTexts.use()
  const { kinds } = useMessages()
  return useMutation({
    mutationFn: () => call(restoreOf(kind), { id }),
    meta: { failure: texts.restoreFailed(kinds[kind].name) },
    onSuccess: () => {
      const now = trashTexts.get()
      toast.success(now.restored(messages().kinds[kind].name))
    },
  })
}
