import type { BatchRollback, HistoryEntry } from '@mokuroku/contract/history'
import { WordDiff } from '#parts/WordDiff.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { ToTrash, useNames } from './Entries.tsx'
import css from './Panel.module.css'
import { translationTexts } from './texts.ts'

/** How many are shown. */
const SHOWN = 10
const SHOWN_SKIPPED = 20

/** The planned or actual result of a rollback: the number of changes, the first ones, and what is skipped and why. */
export function BatchPreview({ result }: { result: BatchRollback }) {
  const { batch: texts } = translationTexts.use()
  const { dryRun, count, changes, skipped, batch } = result
  const shown = changes.slice(0, SHOWN)
  return (
    <>
      <p role="status" className={css.outcome}>
        {dryRun ? texts.would(count) : texts.done(count)}
      </p>
      {batch && count > 0 && (
        <Muted as="p">
          {texts.batch}
          <span className={css.batch}>{batch}</span>
        </Muted>
      )}
      {dryRun && shown.length > 0 && (
        <section>
          {count > shown.length && <Muted as="p">{texts.first(shown.length)}</Muted>}
          <ul className={css.changes}>
            {shown.map((entry) => (
              <Stack as="li" key={entry._id} gap={1} className={css.change}>
                <About entry={entry} />
                <WordDiff short before={entry.newValue} after={entry.oldValue} lang={entry.language} />
              </Stack>
            ))}
          </ul>
        </section>
      )}
      {skipped.length > 0 && (
        <details className={css.skipped}>
          <summary>{texts.skipped(skipped.length)}</summary>
          <ul className={css.changes}>
            {skipped.slice(0, SHOWN_SKIPPED).map(({ entry, why }) => (
              <Stack as="li" key={entry._id} gap={1} className={css.change}>
                <About entry={entry} />
                <Muted as="p">
                  {texts.why[why === 'deleted' && entry.entityState === 'gone' ? 'gone' : why]}{' '}
                  {why === 'deleted' && <ToTrash entry={entry} />}
                </Muted>
              </Stack>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** The entity and the text that a change is about. */
export function About({ entry }: { entry: HistoryEntry }) {
  const { where } = translationTexts.use()
  const { title, lang, language, field } = useNames(entry)
  return (
    <p className={css.about}>
      <span className={css.title} lang={lang}>
        {title}
      </span>
      <Muted>{where(language, field)}</Muted>
    </p>
  )
}
