import type { EmailLanguage } from '@mokuroku/contract/emailLanguages'
import type { EmailMessage } from '#mail/email.ts'

interface Invited {
  email: string
  username: string
  site: string
  language: EmailLanguage
  /** Username of the inviter. */
  by: string
}

const TEXTS = {
  en: {
    subject: (site: string) => `You are invited to ${site}`,
    hello: (username: string) => `Hello ${username},`,
    invited: (by: string, site: string) => `${by} has created an account for you on ${site}.`,
    signIn: (email: string) => `Choose a password, then sign in with ${email}.`,
    button: 'Choose a password',
    limits: (days: number) => `The link works once and expires in ${days} days.`,
    ignore: 'If you did not expect this, ignore this email: without the link, nobody can sign in to the account.',
  },
  zh: {
    subject: (site: string) => `【${site}】邀请您加入`,
    hello: (username: string) => `${username}，您好：`,
    invited: (by: string, site: string) => `${by} 为您创建了 ${site} 账号。`,
    signIn: (email: string) => `请先设置密码，然后用 ${email} 登录。`,
    button: '设置密码',
    limits: (days: number) => `链接 ${days} 天内有效，仅可使用一次。`,
    ignore: '如果您不了解此事，请忽略本邮件。没有此链接，任何人都无法登录该账号。',
  },
}

/** The email with the link by which the new user chooses a password. */
export function invitationEmail(
  { email, username, site, language, by }: Invited,
  url: string,
  days: number,
): EmailMessage {
  const texts = TEXTS[language]
  return {
    to: email,
    language,
    subject: texts.subject(site),
    before: [texts.hello(username), texts.invited(by, site), texts.signIn(email)],
    link: { label: texts.button, url },
    after: [texts.limits(days), texts.ignore],
  }
}
