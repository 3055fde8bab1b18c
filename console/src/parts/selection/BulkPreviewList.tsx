import type { BulkPreview } from '@mokuroku/contract/bulk'
import type { UseQueryResult } from '@tanstack/react-query'
import { localized, messageOf } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import type { Text } from '#lib/text.ts'
import { Muted, Stack } from '#ui/layout.tsx'
import { Failed } from '#ui/Loaded.tsx'
import { useFailure } from '#ui/useFailure.ts'
import css from './BulkDialog.module.css'
import { bulkTexts } from './texts.ts'

type Names = ReadonlyMap<string, Text>

/** How many items of each outcome are named. */
const NAMED = 100

interface Props {
  preview: UseQueryResult<BulkPreview>
  /** Whether enough has been chosen for a preview. */
  isChosen: boolean
  isDelete: boolean
  /** Names by id, as far as they are known. */
  names: Names
}

/** The planned outcomes for the selected entities, with their counts and names. */
export function BulkPreviewList({ preview, isChosen, isDelete, names }: Props) {
  const texts = bulkTexts.use()
  const language = useLanguage()
  // An earlier preview is not shown instead: things have changed since.
  const failure = useFailure(preview) ?? preview.error
  const { data, isFetching, refetch } = preview
  const number = (part: { count: number }) => count(part.count, language)
  if (!isChosen) return <div role="status" />
  if (failure) return <Failed what={texts.previewFailed} hint={messageOf(failure)} busy={isFetching} retry={refetch} />
  if (!data || isFetching) return <p role="status">{texts.checking}</p>
  const { changes, unchanged, refused } = data
  const reasons = new Map(refused.reasons.map(({ id, message }) => [id, localized(message)]))
  const [will, already] = isDelete ? [texts.deletes, texts.trashed] : [texts.changes, texts.unchanged]
  return (
    <Stack role="status" gap={2} className={css.preview}>
      <Part summary={will(changes.count, number(changes))} part={changes} names={names} />
      {unchanged.count > 0 && (
        <Part summary={already(unchanged.count, number(unchanged))} part={unchanged} names={names} />
      )}
      {refused.count > 0 && (
        <Part summary={texts.refused(refused.count, number(refused))} part={refused} names={names} reasons={reasons} />
      )}
    </Stack>
  )
}

interface PartProps {
  summary: string
  part: { count: number; ids: string[] }
  names: Names
  reasons?: ReadonlyMap<string, string>
}

function Part({ summary, part, names, reasons }: PartProps) {
  const texts = bulkTexts.use()
  const language = useLanguage()
  const named = part.ids
    .flatMap((id) => {
      const name = names.get(id) ?? (reasons && { text: id, lang: undefined })
      return name ? [{ id, name }] : []
    })
    .slice(0, NAMED)
  if (named.length === 0) return <p className={css.summary}>{summary}</p>
  return (
    <details open={reasons !== undefined}>
      <summary className={css.summary}>{summary}</summary>
      <Stack as="ul" gap={1} className={css.names}>
        {named.map(({ id, name }) => (
          <li key={id}>
            <span lang={name.lang}>{name.text}</span>
            {reasons && <Muted> {reasons.get(id)}</Muted>}
          </li>
        ))}
        {part.count > named.length && <Muted as="li">{texts.more(count(part.count - named.length, language))}</Muted>}
      </Stack>
    </details>
  )
}
