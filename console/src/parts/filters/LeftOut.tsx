import { PAGING } from '@mokuroku/contract/lists'
import { useSearch } from '@tanstack/react-router'
import type * as z from 'zod/mini'
import { invalidIn } from '#lib/urlQuery.ts'
import { areaTexts } from '#i18n/messages.ts'
import css from './LeftOut.module.css'

const leftOutTexts = areaTexts(
  {
    filters: (filters: string) => `Part of this address was not understood as a filter, and was left out: ${filters}`,
  },
  { filters: (filters) => `地址中有无法识别的筛选条件，已忽略：${filters}` },
)

/** Above a list: a line about what is in the URL, but is unknown to the schema of the list's query, or invalid by it. */
export function LeftOut({ schema }: { schema: z.ZodMiniObject }) {
  const texts = leftOutTexts.use()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const invalid = invalidIn(schema, search)
  const names = Object.keys(search).filter(
    (name) => (invalid.has(name) || !(name in schema.shape)) && !PAGING.includes(name),
  )
  if (names.length === 0) return null
  return (
    <p role="status" className={css.line}>
      {texts.filters(names.map((name) => `${name}=${String(search[name])}`).join(', '))}
    </p>
  )
}
