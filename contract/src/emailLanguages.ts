/** The languages that emails are written in. */
export const EMAIL_LANGUAGES = ['en', 'zh'] as const
export type EmailLanguage = (typeof EMAIL_LANGUAGES)[number]
