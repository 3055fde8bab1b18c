import type { EmailLanguage } from '@mokuroku/contract/settings'
import type { Letter } from '#mail/email.ts'

interface Recipient {
  email: string
  username: string
  site: string
  language: EmailLanguage
}

const TEXTS = {
  en: {
    reset: (site: string) => `Set a new password for ${site}`,
    hello: (username: string) => `Hello ${username},`,
    asked: (site: string) => `somebody asked to set a new password for your account on ${site}.`,
    button: 'Set a new password',
    limits: (minutes: number) => `The link works once, within ${minutes} minutes.`,
    ignore: 'If it was not you, you need not do anything: your password stays as it is.',
  },
  zh: {
    reset: (site: string) => `设置您在${site}的新密码`,
    hello: (username: string) => `${username}，您好：`,
    asked: (site: string) => `有人请求为您在${site}的账户设置新密码。`,
    button: '设置新密码',
    limits: (minutes: number) => `此链接仅能使用一次，${minutes} 分钟内有效。`,
    ignore: '如果不是您本人操作，请忽略此邮件，您的密码不会改变。',
  },
}

/** The letter with the link by which a new password is set. */
export function passwordResetEmail(
  { email, username, site, language }: Recipient,
  url: string,
  minutes: number,
): Letter {
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
