import { areaTexts } from '#i18n/messages.ts'

// The contract's schemas speak English.
const faults: Record<string, string> = {
  'Email is required': 'Email is required',
  'Invalid email address': 'Invalid email address',
  'At least 8 characters': 'At least 8 characters',
  'At most 200 characters': 'At most 200 characters',
}
const faultsInChinese: typeof faults = {
  'Email is required': '请输入电子邮箱',
  'Invalid email address': '电子邮箱格式不正确',
  'At least 8 characters': '至少 8 个字符',
  'At most 200 characters': '至多 200 个字符',
}

export const texts = areaTexts(
  {
    forgot: {
      title: 'Forgot password',
      hint: 'We send you a link by which you set a new one.',
      email: 'Email',
      submit: 'Send link',
      submitting: 'Sending…',
      sent: 'Look into your mail',
      sentTo: (email: string) =>
        `If ${email} belongs to an account, a link is on its way. It works once, within 30 minutes.`,
      nothing: 'No letter? Look among the unwanted mail, or ask an administrator.',
      again: 'Use another address',
      back: 'Back to sign in',
    },
    reset: {
      title: 'Set a new password',
      hint: 'At least 8 characters. Everybody who is signed in to the account is signed out.',
      password: 'New password',
      submit: 'Set password',
      submitting: 'Setting…',
      over: 'This link does not work any more',
      overHint: 'It works once, within 30 minutes, and only until the password is changed. Please ask for a new one.',
      incomplete: 'This link is incomplete',
      incompleteHint: 'Open it from the letter as a whole, or ask for a new one.',
      again: 'Ask for a new link',
      done: 'Your new password is set',
      doneHint: 'Everybody who was signed in to the account has been signed out.',
      signIn: 'Sign in',
    },
    faults,
  },
  {
    forgot: {
      title: '忘记密码',
      hint: '我们会向您发送一个链接，用于设置新密码。',
      email: '电子邮箱',
      submit: '发送链接',
      submitting: '正在发送…',
      sent: '请查收邮件',
      sentTo: (email) => `如果 ${email} 属于某个账户，链接已经发出。链接仅能使用一次，30 分钟内有效。`,
      nothing: '没有收到邮件？请查看垃圾邮件，或联系管理员。',
      again: '使用其他邮箱',
      back: '返回登录',
    },
    reset: {
      title: '设置新密码',
      hint: '至少 8 个字符。该账户的所有登录都会退出。',
      password: '新密码',
      submit: '设置密码',
      submitting: '正在设置…',
      over: '此链接已失效',
      overHint: '链接仅能使用一次，30 分钟内有效，密码更改后即失效。请重新获取。',
      incomplete: '此链接不完整',
      incompleteHint: '请从邮件中完整打开链接，或重新获取。',
      again: '重新获取链接',
      done: '新密码已设置',
      doneHint: '该账户的所有登录均已退出。',
      signIn: '登录',
    },
    faults: faultsInChinese,
  },
)
