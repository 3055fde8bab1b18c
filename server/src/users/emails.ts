import type { EmailLanguage } from '@mokuroku/contract/settings'
import type { Letter } from '#mail/email.ts'

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
      `the password of your account on ${site} was just changed. Everybody else who was signed in to the account has been signed out.`,
    addressSubject: (site: string) => `Your e-mail address for ${site} was changed`,
    removed: (site: string) =>
      `your account on ${site} has another e-mail address now. It is no longer signed in to with this one, and gets its messages there.`,
    added: (site: string) => `this is now the e-mail address of your account on ${site}: sign in with it from now on.`,
    notYou: 'If you did not expect this, ask an administrator to look after your account.',
  },
  zh: {
    hello: (username: string) => `${username}，您好：`,
    passwordSubject: (site: string) => `您在${site}的密码已更改`,
    password: (site: string) => `您在${site}的账户密码刚刚已更改，该账户的其他登录均已退出。`,
    addressSubject: (site: string) => `您在${site}的邮箱地址已更改`,
    removed: (site: string) => `您在${site}的账户已改用另一个邮箱地址，今后不能再用此地址登录，消息也会发送到新地址。`,
    added: (site: string) => `此邮箱地址现在属于您在${site}的账户，今后请用它登录。`,
    notYou: '如果这不是您所预期的，请联系管理员处理您的账户。',
  },
}

/** Tells the owner that the password was changed, whoever did it. */
export function passwordEmail(to: string, { username, site, language }: Account): Letter {
  const texts = TEXTS[language]
  const before = [texts.hello(username), texts.password(site), texts.notYou]
  return { to, language, subject: texts.passwordSubject(site), before }
}

/** Tells both addresses that the account went from one to the other. Neither letter names the other address. */
export function addressEmails(from: string, to: string, { username, site, language }: Account): Letter[] {
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
