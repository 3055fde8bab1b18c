import { type User, usersApi } from '@mokuroku/contract/users'
import { useMutation } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { toast } from '#ui/toast.ts'
import { inWords } from './refused.ts'
import { texts as area } from './texts.ts'

/** Deactivates an active account or activates an inactive one, at once; the toast offers to undo it. */
export function useActivation() {
  const { updateFailed } = area.use()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ user: { _id, isActive, version } }: { user: User; isUndo?: boolean }) =>
      inWords(() => call(usersApi.update, { id: _id, body: { isActive: !isActive }, base: version })),
    meta: { failure: updateFailed },
    onSuccess: (user, { isUndo }) => {
      const texts = area.now()
      const message = user.isActive ? texts.activated(user.username) : texts.deactivated(user.username)
      if (isUndo) toast.success(message)
      else toast.undo(message, () => mutate({ user, isUndo: true }))
    },
  })
  return {
    toggle: (user: User) => mutate({ user }),
    isBusy: ({ _id }: User) => isPending && variables.user._id === _id,
  }
}
