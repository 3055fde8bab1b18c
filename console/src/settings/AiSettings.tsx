import { aiApi } from '@mokuroku/contract/ai'
import type { Settings } from '@mokuroku/contract/settings'
import { useMutation } from '@tanstack/react-query'
import { PlugZap } from 'lucide-react'
import { call } from '#api/call.ts'
import { aiTexts } from '#parts/ai/texts.ts'
import { Button } from '#ui/Button.tsx'
import { PasswordField, TextField } from '#ui/Field.tsx'
import { Muted, Stack } from '#ui/layout.tsx'
import { Outcome } from './Outcome.tsx'
import { useSettingsRefusal } from './rights.ts'
import { SectionForm } from './SectionForm.tsx'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'
import { type SectionState, useSection } from './useSection.ts'

export function AiSettings({ settings }: { settings: Settings }) {
  const { names, sections, ai } = area.use()
  const section = useSection('ai', settings)
  const refusal = useSettingsRefusal()
  const { variables } = settings
  const trial = useConnectionTest(section)
  const field = (name: string) => ({
    label: names[name] ?? '',
    value: section.text(name),
    error: section.fault(name),
    readOnly: refusal !== undefined,
    autoComplete: 'off',
    spellCheck: false,
    className: css.field ?? '',
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      trial.reset()
      section.set(name, currentTarget.value)
    },
  })
  const test = (
    <Button icon={PlugZap} busy={trial.isPending} reason={refusal} onClick={() => trial.mutate()}>
      {trial.isPending ? ai.testing : ai.test}
    </Button>
  )
  return (
    <SectionForm title={sections.ai} hint={ai.hint} section={section} actions={test} result={<Result {...trial} />}>
      <TextField
        {...field('baseUrl')}
        type="url"
        placeholder={variables.baseUrl}
        hint={variables.baseUrl ? ai.fromVariable(variables.baseUrl) : ai.baseUrlHint}
      />
      <TextField
        {...field('model')}
        placeholder={variables.model}
        hint={variables.model && ai.fromVariable(variables.model)}
      />
      <Key section={section} settings={settings} locked={refusal !== undefined} onChange={trial.reset} />
      <TextField {...field('streamsPerUser')} inputMode="numeric" hint={ai.streamsHint} />
      <TextField {...field('dailyTokensPerUser')} inputMode="numeric" hint={ai.tokensHint} />
      {variables.hasSearch && (
        <Muted as="p" small>
          {ai.searchElsewhere}
        </Muted>
      )}
    </SectionForm>
  )
}

interface KeyProps {
  section: SectionState
  settings: Settings
  locked: boolean
  onChange: () => void
}

/** The key is write-only: the field is empty, and says whether a key is stored. */
function Key({ section, settings, locked, onChange }: KeyProps) {
  const { names, ai } = area.use()
  const { hasKey } = settings.ai
  const edited = section.edited('apiKey')
  const set = (value: string | undefined) => {
    onChange()
    section.set('apiKey', value)
  }
  return (
    <Stack gap={1} className={css.key}>
      <PasswordField
        label={names.apiKey ?? ''}
        hint={edited === '' ? ai.keyGoes : aboutKey(section, settings, ai)}
        value={typeof edited === 'string' ? edited : ''}
        error={section.fault('apiKey')}
        readOnly={locked}
        autoComplete="new-password"
        spellCheck={false}
        className={css.field}
        onChange={({ currentTarget }) => set(currentTarget.value || undefined)}
      />
      {hasKey && !locked && !edited && (
        <Button variant="quiet" size="small" onClick={() => set(edited === '' ? undefined : '')}>
          {edited === '' ? ai.keyKeep : ai.keyRemove}
        </Button>
      )}
    </Stack>
  )
}

function aboutKey(section: SectionState, { ai: { baseUrl, hasKey }, variables }: Settings, texts: AiTexts): string {
  const to = hostOf(section.text('baseUrl') || variables.baseUrl)
  if (hasKey) return to === hostOf(baseUrl || variables.baseUrl) ? texts.keyKept : texts.keyOtherHost
  const isUsed = variables.hasKey && (!variables.baseUrl || to === hostOf(variables.baseUrl))
  return isUsed ? texts.keyFromVariable : texts.keyNone
}
type AiTexts = ReturnType<typeof area.use>['ai']

/** The origin to which a key is bound. */
const hostOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : '')

/** Tests the connection with the values in the form, saved or not. */
function useConnectionTest(section: SectionState) {
  const given = (name: string) => {
    const value = section.edited(name)
    return typeof value === 'string' ? { [name]: value } : {}
  }
  return useMutation({
    mutationFn: () => call(aiApi.test, { body: { ...given('baseUrl'), ...given('model'), ...given('apiKey') } }),
    meta: { failure: area.get().ai.testFailed },
  })
}

function Result({ data }: Pick<ReturnType<typeof useConnectionTest>, 'data'>) {
  const { ai } = area.use()
  const { codes } = aiTexts.use()
  if (!data) return <Outcome result={undefined} />
  const { success, code, message, milliseconds } = data
  const hint = success ? ai.took(milliseconds) : undefined
  return <Outcome result={{ success, title: codes[code] ?? message, hint }} />
}
