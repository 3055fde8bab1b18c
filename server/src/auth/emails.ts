import type { EmailLanguage } from '@mokuroku/contract/emailLanguages'
import type { EmailMessage } from '#mail/email.ts'

interface Recipient {
  email: string
  username: string
  site: string
  language: EmailLanguage
}

const TEXTS = {
  en: {
    reset: (site: string) => `Reset your password for ${site}`,
    hello: (username: string) => `Hello ${username},`,
    asked: (site: string) => `Someone asked to reset the password of your account on ${site}.`,
    button: 'Set a new password',
    limits: (minutes: number) => `The link works once and expires in ${minutes} minutes.`,
    ignore: 'If this was not you, ignore this email. Your password stays the same.',
  },
  zh: {
    reset: (site: string) => `【${site}】重置密码`,
    hello: (username: string) => `${username}，您好：`,
    asked: (site: string) => `我们收到了重置您的 ${site} 账号密码的请求。`,
    button: '设置新密码',
    limits: (minutes: number) => `链接 ${minutes} 分钟内有效，仅可使用一次。`,
    ignore: '如非本人操作，请忽略本邮件，您的密码不会改变。',
  },
}

/** The email with the link that resets the password. */
export function passwordResetEmail(
  { email, username, site, language }: Recipient,
  url: string,
  minutes: number,
): EmailMessage {
  const texts = TEXTS[language]
  return {
    to: email,
    language,
    subject: texts.reset(site),
    before: [texts.hello(username), texts.asked(site)],
    link: { label: texts.button, url },
    after: [texts.limits(minutes), texts.ignore],
  }
}
