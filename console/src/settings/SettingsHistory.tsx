import { SETTINGS_ID } from '@mokuroku/contract/settings'
import { historyTexts } from '#parts/history/texts.ts'
import { LazyHistory } from '#parts/history/WithHistory.tsx'
import { Page } from '#ui/Page.tsx'
import { texts as area } from './texts.ts'

/** History of the settings; administrators only. Never contains the AI key. */
export function SettingsHistory() {
  const { title, back } = area.use()
  const { of, subtitle } = historyTexts.use()
  return (
    <Page title={of(title)} subtitle={subtitle} back={{ to: '/settings', label: back }}>
      <LazyHistory revised={{ kind: 'Setting' }} id={SETTINGS_ID} />
    </Page>
  )
}
