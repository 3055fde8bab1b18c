import type { MediaRow } from '@mokuroku/contract/media'
import { Save } from 'lucide-react'
import type { Cell } from '#parts/ai/cells.ts'
import { CellChoices } from '#parts/ai/CellChoices.tsx'
import { useTitleOf } from '#parts/titles.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Stack } from '#ui/layout.tsx'
import css from './MediaStandardize.module.css'
import { standardizeTexts } from './texts.ts'

export interface Proposal {
  media: Pick<MediaRow, '_id' | 'translations' | 'originalTitle'> & { version?: number | undefined }
  cells: readonly Cell[]
}

interface Props {
  proposals: readonly Proposal[]
  /** Why some media could not be saved, by id. */
  problems: ReadonlyMap<string, string>
  accepted: ReadonlySet<string>
  onAccept: (keys: ReadonlySet<string>) => void
  busy: boolean
  reason: string | undefined
  onSave: () => void
}

/**
 * The AI's proposals for each media item: each text before and after, to be accepted one by one and saved as one batch.
 */
export function Proposals({ proposals, problems, accepted, onAccept, busy, reason, onSave }: Props) {
  const texts = standardizeTexts.use()
  const titleOf = useTitleOf()
  return (
    <Card
      title={texts.result}
      count={proposals.length}
      action={
        <Button variant="primary" icon={Save} busy={busy} reason={reason} onClick={onSave}>
          {busy ? texts.saving : texts.save}
        </Button>
      }
    >
      <div className={css.proposals}>
        {proposals.map(({ media, cells }) => {
          const title = titleOf(media)
          const problem = problems.get(media._id)
          return (
            <Stack as="section" key={media._id} aria-label={title.text}>
              <h3 className={css.title} lang={title.lang}>
                {title.text}
              </h3>
              {problem && (
                <p role="alert" className={css.problem}>
                  {problem}
                </p>
              )}
              <CellChoices label={texts.cells(title.text)} {...{ cells, accepted, onAccept }} />
            </Stack>
          )
        })}
      </div>
    </Card>
  )
}
