import { type User, usersApi } from '@mokuroku/contract/users'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Clapperboard, UserRoundCheck, UserRoundX } from 'lucide-react'
import { call } from '#api/call.ts'
import { useMe } from '#api/session.ts'
import { AREAS } from '#lib/areas.ts'
import { buttonClass, IconButton } from '#ui/Button.tsx'
import { toast } from '#ui/toast.ts'
import { explain } from './explain.ts'
import { userRefusals } from './rights.ts'
import { userTexts } from './texts.ts'
import css from './UserList.module.css'

/** Leads to the media that a user created, and activates or deactivates the account. */
export function UserRowActions({ row: user }: { row: User }) {
  const { mediaBy } = userTexts.use()
  const label = mediaBy(user.username)
  return (
    <>
      <Link
        to={AREAS.Media.path}
        search={{ createdBy: user._id }}
        className={`${buttonClass({ variant: 'quiet', icon: true })} ${css.action}`}
        aria-label={label}
        title={label}
      >
        <Clapperboard size={16} aria-hidden />
      </Link>
      <UserActivation user={user} />
    </>
  )
}

/** Deactivates an active account or activates an inactive one, at once; the toast offers to undo it. */
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
  const { mutate, isPending } = useMutation({
    mutationFn: ({ user: { _id, isActive, version } }: { user: User; isUndo?: boolean }) =>
      explain(() => call(usersApi.update, { id: _id, body: { isActive: !isActive }, base: version })),
    meta: { failure: editor.updateFailed },
    onSuccess: (user, { isUndo }) => {
      const texts = userTexts.now()
      const message = user.isActive ? texts.activated(user.username) : texts.deactivated(user.username)
      if (isUndo) toast.success(message)
      else toast.undo(message, () => mutate({ user, isUndo: true }))
    },
  })
  return { toggle: (user: User) => mutate({ user }), isBusy: isPending }
}
