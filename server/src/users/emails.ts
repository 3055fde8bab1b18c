import type { EmailLanguage } from '@mokuroku/contract/emailLanguages'
import type { EmailMessage } from '#mail/email.ts'

interface Account {
  username: string
  site: string
  language: EmailLanguage
}

const TEXTS = {
  en: {
    hello: (username: string) => `Hello ${username},`,
    passwordSubject: (site: string) => `Your password for ${site} was changed`,
    password: (site: string) =>
      `The password of your account on ${site} was just changed. All other sessions have been signed out.`,
    addressSubject: (site: string) => `Your email address for ${site} was changed`,
    removed: (site: string) =>
      `The email address of your account on ${site} was changed. You can no longer sign in with this address, and messages go to the new one.`,
    added: (site: string) => `This is now the email address of your account on ${site}. Use it to sign in from now on.`,
    notYou: 'If this was not you, contact an administrator now.',
  },
  zh: {
    hello: (username: string) => `${username}，您好：`,
    passwordSubject: (site: string) => `【${site}】密码已修改`,
    password: (site: string) => `您的 ${site} 账号密码刚刚修改，其他设备均已退出登录。`,
    addressSubject: (site: string) => `【${site}】邮箱已修改`,
    removed: (site: string) => `您的 ${site} 账号已改用另一个邮箱，不能再用此邮箱登录，邮件也会发送到新邮箱。`,
    added: (site: string) => `此邮箱现为您的 ${site} 账号邮箱，请用它登录。`,
    notYou: '如非本人操作，请立即联系管理员。',
  },
}

/** The email to the owner after a password change, whoever made it. */
export function passwordEmail(to: string, { username, site, language }: Account): EmailMessage {
  const texts = TEXTS[language]
  const before = [texts.hello(username), texts.password(site), texts.notYou]
  return { to, language, subject: texts.passwordSubject(site), before }
}

/** The emails to the old and the new address after a change. Neither names the other address. */
export function addressEmails(from: string, to: string, { username, site, language }: Account): EmailMessage[] {
  const texts = TEXTS[language]
  return (
    [
      [from, texts.removed(site)],
      [to, texts.added(site)],
    ] as const
  ).map(([address, text]) => ({
    to: address,
    language,
    subject: texts.addressSubject(site),
    before: [texts.hello(username), text, texts.notYou],
  }))
}
