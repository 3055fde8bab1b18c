import { type Settings, settingsApi } from '@mokuroku/contract/settings'
import { useMutation } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { call } from '#api/call.ts'
import { useLanguage } from '#i18n/messages.ts'
import { serverTexts } from '#parts/serverTexts.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Outcome } from './Outcome.tsx'
import { useSettingsRefusal } from './rights.ts'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'

export function MailState({ mail }: { mail: Settings['mail'] }) {
  const { sections, mail: texts } = area.use()
  const { mailFailures } = serverTexts.use()
  const language = useLanguage()
  const refusal = useSettingsRefusal()
  const { mutate, data, isPending } = useMutation({
    mutationFn: () => call(settingsApi.testMail, { body: { language } }),
    meta: { failure: texts.testFailed },
  })
  const { isConfigured } = mail
  return (
    <Card title={sections.mail}>
      <div className={css.form}>
        <Facts>
          <Fact name={texts.state}>
            <Badge tone={isConfigured ? 'success' : 'warning'}>
              {isConfigured ? texts.configured : texts.unconfigured}
            </Badge>
          </Fact>
          {isConfigured && <Fact name={texts.server}>{mail.server}</Fact>}
          <Fact name={texts.from} wide>
            {mail.from}
          </Fact>
        </Facts>
        <p className={css.hint}>{isConfigured ? texts.configuredHint : texts.unconfiguredHint}</p>
        <Outcome
          result={
            data && {
              success: data.success,
              title: data.failure ? mailFailures[data.failure.code] : (isConfigured ? texts.sent : texts.kept)(data.to),
              hint: data.failure?.detail,
            }
          }
        />
        <footer className={css.footer}>
          <Button icon={Send} busy={isPending} reason={refusal} onClick={() => mutate()}>
            {isPending ? texts.testing : texts.test}
          </Button>
        </footer>
      </div>
    </Card>
  )
}
