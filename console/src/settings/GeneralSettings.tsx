import type { Settings } from '@mokuroku/contract/settings'
import { useLanguage } from '#i18n/messages.ts'
import { languageName } from '#parts/titles.ts'
import { SelectField, TextField } from '#ui/Field.tsx'
import { ChecksList } from './ChecksList.tsx'
import { FoldChinese } from './FoldChinese.tsx'
import { LanguageList } from './LanguageList.tsx'
import { useSettingsRefusal } from './rights.ts'
import { SectionForm } from './SectionForm.tsx'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'
import { useSection } from './useSection.ts'

export function GeneralSettings({ settings }: { settings: Settings }) {
  const { names, sections, general } = area.use()
  const language = useLanguage()
  const section = useSection('general', settings)
  const locked = useSettingsRefusal() !== undefined
  const languages = section.list('languages')
  const first = section.text('defaultLanguage')
  const options = [...new Set([first, ...languages])].map((tag) => ({ value: tag, label: languageName(tag, language) }))
  return (
    <>
      <SectionForm title={sections.general} section={section}>
        <TextField
          label={names.siteName ?? ''}
          hint={general.siteNameHint}
          value={section.text('siteName')}
          error={section.fault('siteName')}
          readOnly={locked}
          maxLength={60}
          className={css.field}
          onChange={({ currentTarget }) => section.set('siteName', currentTarget.value)}
        />
        <LanguageList
          languages={languages}
          first={first}
          locked={locked}
          error={section.fault('languages')}
          onChange={(next) => section.set('languages', next)}
        />
        <SelectField
          label={names.defaultLanguage ?? ''}
          hint={general.defaultHint}
          value={first}
          options={options}
          error={section.fault('defaultLanguage')}
          disabled={locked}
          className={css.field ?? ''}
          onChange={(tag) => section.set('defaultLanguage', tag)}
        />
        <ChecksList on={section.list('findings')} locked={locked} onChange={(next) => section.set('findings', next)} />
      </SectionForm>
      {!locked && <FoldChinese />}
    </>
  )
}
