import type { Translated } from '@mokuroku/contract/kinds'
import { MAX_TOTAL } from '@mokuroku/contract/lists'
import type { TrashRow } from '@mokuroku/contract/trash'
import { useMutation } from '@tanstack/react-query'
import { ArchiveRestore, X } from 'lucide-react'
import { useState } from 'react'
import { startBulk } from '#api/batches.ts'
import { newKey } from '#api/call.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { BatchOutcome } from '#parts/selection/BatchOutcome.tsx'
import { bulkTexts } from '#parts/selection/texts.ts'
import type { Selected } from '#parts/selection/useSelection.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { StickyBar } from '#ui/StickyBar.tsx'
import css from './Trash.module.css'
import { trashTexts } from './texts.ts'

interface Props {
  selecting: Selected<TrashRow>
  /** If all entities of a kind can be selected: the kind and their number. */
  all: { kind: Translated; total: number } | undefined
}

/** The number of selected rows, a button that restores them, and the result: one batch for each kind. */
export function RestoreBar({ selecting, all }: Props) {
  const texts = trashTexts.use()
  const bulk = bulkTexts.use()
  const language = useLanguage()
  const { selection, size, clear, cancel, selectAll } = selecting
  const [batches, setBatches] = useState<readonly string[]>([])
  const [key, setKey] = useState(newKey)
  const restore = useMutation({
    mutationFn: async () => {
      const change = { restore: true }
      const targets =
        selection.isAll && all
          ? [{ kind: all.kind, body: { filter: {}, change } }]
          : [...Map.groupBy(selection.rows, ({ kind }) => kind as Translated)].map(([kind, rows]) => ({
              kind,
              body: { ids: rows.map(({ _id }) => _id), change },
            }))
      for (const { kind, body } of targets) {
        const started = await startBulk(kind, body, key)
        // Shown even if that of the next kind is refused.
        setBatches((before) => [...before.filter((each) => each !== started), started])
      }
    },
    meta: { failure: texts.restoreManyFailed },
    onSuccess: () => {
      clear()
      setKey(newKey())
    },
  })
  if (size === 0 && batches.length === 0) return null
  const total = all?.total ?? 0
  const number = count(size, language)
  const isTooMany = selection.isAll && total > MAX_TOTAL
  return (
    <StickyBar aria-label={bulk.bar}>
      {size > 0 && (
        <Row wrap gap={3}>
          <p className={css.chosen}>{selection.isAll ? bulk.isAll(number) : bulk.selected(number)}</p>
          {!selection.isAll && total > size && (
            <Button size="small" variant="quiet" onClick={selectAll}>
              {bulk.all(count(total, language))}
            </Button>
          )}
          <Row gap={2} justify="end" className={css.does}>
            <Button
              size="small"
              data-action
              icon={ArchiveRestore}
              busy={restore.isPending}
              reason={isTooMany ? bulk.tooMany(count(MAX_TOTAL, language)) : undefined}
              onClick={() => restore.mutate()}
            >
              {texts.restoreMany(number)}
            </Button>
            <IconButton icon={X} label={`${bulk.clear} (Esc)`} onClick={cancel} />
          </Row>
        </Row>
      )}
      {batches.map((id) => (
        <BatchOutcome key={id} id={id} onClose={() => setBatches((before) => before.filter((each) => each !== id))} />
      ))}
    </StickyBar>
  )
}
