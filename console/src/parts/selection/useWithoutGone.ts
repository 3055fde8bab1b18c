import { kinds } from '@mokuroku/contract/kinds'
import { MAX_ENTRIES, searchApi } from '@mokuroku/contract/search'
import { useEffect, useEffectEvent } from 'react'
import { call } from '#api/call.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { toast } from '#ui/toast.ts'
import { bulkTexts } from './texts.ts'
import type { Selecting } from './useSelection.ts'

/** Deselects rows that were deleted or merged elsewhere while the user was on other screens, and says so. */
export function useWithoutGone({ kind, wasKept, selection, drop }: Selecting) {
  const language = useLanguage()
  const dropGone = useEffectEvent(async () => {
    const ids = selection.rows.map(({ _id }) => _id)
    const indexName = kinds[kind].plural
    const pages = Array.from({ length: Math.ceil(ids.length / MAX_ENTRIES) }, (_, at) =>
      ids.slice(at * MAX_ENTRIES, (at + 1) * MAX_ENTRIES),
    )
    const found = await Promise.all(
      pages.map((some) => call(searchApi.entries, { query: { indexName, ids: some.join() } })),
    )
    const there = new Set(found.flatMap(({ data }) => data.map(({ _id }) => _id)))
    const gone = new Set(ids.filter((id) => !there.has(id)))
    if (gone.size === 0) return
    drop(gone)
    toast.info(bulkTexts.get().gone(gone.size, count(gone.size, language)))
  })
  // Without an answer, nothing is dropped: the preview of an action names what is gone, too.
  useEffect(() => {
    if (wasKept) void dropGone().catch(() => undefined)
  }, [wasKept])
}
