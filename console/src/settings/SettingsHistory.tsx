import { SETTINGS_ID } from '@mokuroku/contract/settings'
import { Lock } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { historyTexts } from '#parts/history/texts.ts'
import { LazyHistory } from '#parts/history/WithHistory.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Page } from '#ui/Page.tsx'
import { useSettingsRefusal } from './rights.ts'
import { texts as area } from './texts.ts'

/** History of the settings; administrators only. Never contains the AI key. */
export function SettingsHistory() {
  const { title, back } = area.use()
  const { of, subtitle } = historyTexts.use()
  const { errors } = useMessages()
  const refusal = useSettingsRefusal()
  return (
    <Page title={of(title)} subtitle={subtitle} back={{ to: '/settings', label: back }}>
      {refusal ? (
        <Card>
          <EmptyState alert icon={Lock} title={errors[403]} hint={refusal} />
        </Card>
      ) : (
        <LazyHistory revised={{ kind: 'Setting' }} id={SETTINGS_ID} />
      )}
    </Page>
  )
}
