import type { Settings } from '@mokuroku/contract/settings'
import { SelectField } from '#ui/Field.tsx'
import { useSettingsRefusal } from './rights.ts'
import { SectionForm } from './SectionForm.tsx'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'
import { useSection } from './useSection.ts'

/** In hours. */
const LENGTHS = [1, 4, 8, 12, 24, 72, 168, 720]

export function SecuritySettings({ settings }: { settings: Settings }) {
  const { names, sections, security } = area.use()
  const section = useSection('security', settings)
  const now = section.text('sessionHours')
  const lengths = [...new Set([...LENGTHS, settings.security.sessionHours])].toSorted((one, two) => one - two)
  const inWords = (hours: number) => {
    if (hours < 1) return security.minutes(Math.round(hours * 60))
    return hours >= 24 && hours % 24 === 0 ? security.days(hours / 24) : security.hours(hours)
  }
  return (
    <SectionForm title={sections.security} section={section} inWords={inWords}>
      <SelectField
        label={names.sessionHours ?? ''}
        hint={security.hint}
        value={now}
        options={lengths.map((hours) => ({ value: String(hours), label: inWords(hours) }))}
        error={section.fault('sessionHours')}
        disabled={useSettingsRefusal() !== undefined}
        className={css.field ?? ''}
        onChange={(hours) => section.set('sessionHours', hours)}
      />
    </SectionForm>
  )
}
