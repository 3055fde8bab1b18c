import { invitationsApi } from '@mokuroku/contract/invitations'
import { q } from '#api/query.ts'
import { queryClient } from '#api/queryClient.ts'
import { toast } from '#ui/toast.ts'
import { userTexts } from './texts.ts'

/** Says that an invitation was sent or, without a mail server, where it is saved. */
export async function toastInvited({ email = '' }: { email?: string | undefined }) {
  const mail = { ...q(invitationsApi.mail), meta: { quiet: true } }
  const { isConfigured } = await queryClient.fetchQuery(mail).catch(() => ({ isConfigured: true }))
  const { sent, kept } = userTexts.get().invite
  toast.success(isConfigured ? sent(email) : kept(email))
}
