import { invitationsApi } from '@mokuroku/contract/invitations'
import { type User, usersApi } from '@mokuroku/contract/users'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { Clapperboard, Gauge, MailPlus, UserRoundCheck, UserRoundX } from 'lucide-react'
import { call } from '#api/call.ts'
import { useMe } from '#api/session.ts'
import { AREAS } from '#lib/areas.ts'
import { offerUndo } from '#parts/offerUndo.ts'
import { buttonClass, IconButton } from '#ui/Button.tsx'
import { Portal } from '#ui/Portal.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import { toast } from '#ui/toast.ts'
import { explain } from './explain.ts'
import { userRefusals } from './rights.ts'
import { userTexts } from './texts.ts'
import { toastInvited } from './toastInvited.ts'
import css from './UserList.module.css'

const TierDialog = lazyOverlay(() => import('./TierDialog.tsx'), 'TierDialog')

/** Row actions: view the user's media or resend the invitation, set the tier, activate or deactivate the account. */
export function UserRowActions({ row: user }: { row: User }) {
  return (
    <>
      {user.invitation ? <SendAgain user={user} /> : <MediaOf user={user} />}
      {user.role === 'user' && <SetTier user={user} />}
      <UserActivation user={user} />
    </>
  )
}

/** Sets a user's score to that of a tier; users cannot do this for themselves. */
function SetTier({ user }: { user: User }) {
  const texts = userTexts.use()
  const me = useMe()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        icon={Gauge}
        label={texts.tiers.title(user.username)}
        reason={userRefusals(me).edit(user) ?? (me._id === user._id ? texts.ownScores : undefined)}
        className={css.action}
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <Portal>
          <Suspense>
            <TierDialog user={user} onClose={() => setOpen(false)} />
          </Suspense>
        </Portal>
      )}
    </>
  )
}

function MediaOf({ user }: { user: User }) {
  const { mediaBy } = userTexts.use()
  const label = mediaBy(user.username)
  return (
    <Link
      to={AREAS.Media.path}
      search={{ createdBy: user._id }}
      className={`${buttonClass({ variant: 'quiet', icon: true })} ${css.action}`}
      aria-label={label}
      title={label}
    >
      <Clapperboard size={16} aria-hidden />
    </Link>
  )
}

/** Sends a new link to a user who has not chosen a password yet; the previous link becomes invalid. */
function SendAgain({ user: { _id: id, username, isActive } }: { user: User }) {
  const texts = userTexts.use()
  const refusals = userRefusals(useMe())
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(invitationsApi.inviteAgain, { id, body: {} }),
    meta: { failure: texts.invite.failed },
    onSuccess: (user) => void toastInvited(user),
  })
  return (
    <IconButton
      icon={MailPlus}
      label={texts.invite.again(username)}
      reason={refusals.edit({ _id: id }) ?? (isActive ? undefined : texts.invite.inactive)}
      busy={isPending}
      className={css.action}
      onClick={() => mutate()}
    />
  )
}

/** Deactivates or activates an account immediately; the toast offers to undo it. */
function UserActivation({ user }: { user: User }) {
  const texts = userTexts.use()
  const refusals = userRefusals(useMe())
  const { toggle, isBusy } = useActivation()
  const { username, isActive } = user
  return (
    <IconButton
      icon={isActive ? UserRoundX : UserRoundCheck}
      label={isActive ? texts.deactivate(username) : texts.activate(username)}
      reason={isActive ? refusals.delete(user) : refusals.edit(user)}
      busy={isBusy}
      className={css.action}
      onClick={() => toggle(user)}
    />
  )
}

function useActivation() {
  const { editor } = userTexts.use()
  const { mutate, mutateAsync, isPending } = useMutation({
    mutationFn: ({ user: { _id, isActive, version } }: { user: User; isUndo?: boolean }) =>
      explain(() => call(usersApi.update, { id: _id, body: { isActive: !isActive }, base: version })),
    meta: { failure: editor.updateFailed },
    onSuccess: (user, { isUndo }) => {
      const texts = userTexts.get()
      const message = user.isActive ? texts.activated(user.username) : texts.deactivated(user.username)
      if (isUndo) toast.success(message)
      else offerUndo(message, () => mutateAsync({ user, isUndo: true }))
    },
  })
  return { toggle: (user: User) => mutate({ user }), isBusy: isPending }
}
