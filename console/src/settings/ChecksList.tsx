import { FINDING_CODES } from '@mokuroku/contract/findings'
import { filterTexts } from '#parts/filters/texts.ts'
import { Muted, Stack } from '#ui/layout.tsx'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'

interface Props {
  /** Codes of the enabled checks. */
  on: readonly string[]
  locked: boolean
  onChange: (on: string[]) => void
}

/** Checkboxes for the catalogue checks. */
export function ChecksList({ on, locked, onChange }: Props) {
  const { names, general } = area.use()
  const { findings } = filterTexts.use()
  return (
    <Stack as="fieldset" gap={2} className={css.languages}>
      <legend className={css.label}>{names.findings}</legend>
      <Muted as="p" small>
        {general.findingsHint}
      </Muted>
      <ul className={css.checks}>
        {FINDING_CODES.map((code) => (
          <li key={code}>
            <label>
              <input
                type="checkbox"
                checked={on.includes(code)}
                disabled={locked}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(FINDING_CODES.filter((each) => (each === code ? checked : on.includes(each))))
                }
              />{' '}
              {findings[code]}
            </label>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
