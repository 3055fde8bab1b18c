import type { EmailLanguage } from '@mokuroku/contract/emailLanguages'
import type { EmailMessage } from '#mail/email.ts'

const TEXTS = {
  en: {
    subject: (site: string) => `Test message from ${site}`,
    before: (site: string, url: string) => [
      `This is a test message from ${site} (${url}).`,
      'Email is set up correctly.',
    ],
  },
  zh: {
    subject: (site: string) => `【${site}】测试邮件`,
    before: (site: string, url: string) => [`这是来自 ${site}（${url}）的测试邮件。`, '邮件发送配置正常。'],
  },
}

/** The email sent by 'Send test message'. */
export function testEmail(to: string, language: EmailLanguage, site: string, publicUrl: string): EmailMessage {
  const { subject, before } = TEXTS[language]
  return { to, language, subject: subject(site), before: before(site, publicUrl) }
}
