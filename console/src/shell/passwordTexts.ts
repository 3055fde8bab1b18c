import { areaTexts } from '#i18n/messages.ts'

/** Texts of the question for the password before a protected change. */
export const passwordTexts = areaTexts(
  {
    title: 'Enter your password',
    why: 'This change is protected. Confirm it with your password. You will not be asked again for ten minutes.',
    required: 'Password is required',
    wrong: 'This password is incorrect.',
    confirm: 'Confirm',
  },
  {
    title: '输入密码',
    why: '此更改受保护，请输入您的密码以确认，十分钟内无需再次输入。',
    required: '请输入密码',
    wrong: '密码不正确。',
    confirm: '确认',
  },
)
