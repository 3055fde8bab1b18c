import { MIN_KEPT_DAYS, type Settings } from '@mokuroku/contract/settings'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { SelectField } from '#ui/Field.tsx'
import { useSettingsRefusal } from './rights.ts'
import { SectionForm } from './SectionForm.tsx'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'
import { useSection } from './useSection.ts'

const DAYS_PER_YEAR = 365
/** In days. */
const LENGTHS = [30, 90, 180, ...[1, 2, 3, 5, 10].map((years) => years * DAYS_PER_YEAR)]

/** How long old records are kept. */
export function RetentionSettings({ settings }: { settings: Settings }) {
  const { names, sections, retention } = area.use()
  const section = useSection('retention', settings)
  const locked = useSettingsRefusal() !== undefined
  const language = useLanguage()
  const inWords = (days: number) => {
    if (days === 0) return retention.forEver
    return days % DAYS_PER_YEAR === 0 ? retention.years(days / DAYS_PER_YEAR) : retention.days(count(days, language))
  }
  return (
    <SectionForm title={sections.retention} hint={retention.hint} section={section} inWords={inWords}>
      {(Object.keys(MIN_KEPT_DAYS) as (keyof typeof MIN_KEPT_DAYS)[]).map((name) => {
        const lengths = new Set([...LENGTHS.filter((days) => days >= MIN_KEPT_DAYS[name]), settings.retention[name]])
        lengths.delete(0)
        const options = [0, ...[...lengths].toSorted((one, two) => one - two)]
        return (
          <SelectField
            key={name}
            label={names[name] ?? ''}
            hint={retention[name]}
            value={section.text(name)}
            options={options.map((days) => ({ value: String(days), label: inWords(days) }))}
            error={section.fault(name)}
            disabled={locked}
            className={css.field ?? ''}
            onChange={(days) => section.set(name, days)}
          />
        )
      })}
    </SectionForm>
  )
}
