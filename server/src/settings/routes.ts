import type { EmailLanguage } from '@mokuroku/contract/emailLanguages'
import { type MailTest, settingsApi } from '@mokuroku/contract/settings'
import { siteApi } from '@mokuroku/contract/site'
import { listInstances } from '#database/instances.ts'
import { serve } from '#http/serve.ts'
import { linkTo, sendMail } from '#mail/send.ts'
import { MailFailure } from '#mail/failure.ts'
import { type Actor, atLeast, authorize } from '#access/permissions.ts'
import { audit } from '#store/audit'
import { settings } from '#store/settings'
import { users } from '#store/users'
import { about } from './about.ts'
import { testEmail } from './emails.ts'

const ownRoutes = serve(
  settingsApi,
  {
    find: ({ actor }) => {
      audit.recordLater({ action: 'settings.read', actor })
      return settings.find()
    },
    update: async ({ body, actor, base }) => {
      await settings.change(body, { actor }, base)
      return settings.find()
    },
    testMail: async ({ body: { language = 'en' }, actor }) => {
      const answer = await testMail(actor, language)
      const outcome = answer.success ? 'ok' : 'failed'
      audit.recordLater({
        action: 'settings.tested',
        outcome,
        actor,
        details: { what: 'mail', code: answer.failure?.code },
      })
      return answer
    },
    storage: () => settings.storage(),
    about: async ({ actor }) => ({
      ...(await about()),
      instances: actor.role === 'user' ? [] : await listInstances(),
    }),
  },
  {
    find: atLeast('moderator'),
    update: authorize('edit', 'Setting'),
    testMail: authorize('edit', 'Setting'),
    storage: atLeast('moderator'),
  },
)

export const settingsRoutes = [...ownRoutes, ...serve(siteApi, { find: () => settings.site() })]

async function testMail({ _id }: Actor, language: EmailLanguage): Promise<MailTest> {
  const [{ email: to }, { name }] = [await users.passwordOf(_id), await settings.site()]
  try {
    await sendMail(testEmail(to, language, name, linkTo('/')))
    return { success: true, to }
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    return { success: false, to, failure: { code: error.code, detail: error.detail } }
  }
}
