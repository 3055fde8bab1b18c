import { authApi } from '@mokuroku/contract/auth'
import type { Preferences } from '@mokuroku/contract/preferences'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { updateMe, useMe } from '#api/session.ts'

const mutationKey = [authApi.updatePreferences.path]
/** As the server has them, while changes are being saved. */
let saved: Preferences

/**
 * Returns a function that changes the user's preferences: they apply at once, are saved one request at a time, and are
 * reset if that fails. Only the last response is taken over: the earlier ones lack the changes that came after them.
 */
export function useSavePreferences(meta: { quiet?: boolean } = {}) {
  const { preferences } = useMe()
  const mutations = useQueryClient()
  const count = () => mutations.isMutating({ mutationKey })
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: 'preferences' },
    mutationFn: (body: Preferences) => call(authApi.updatePreferences, { body }),
    meta,
    onSuccess: (answer) => void (saved = answer),
    onSettled: () => {
      if (count() === 1) updateMe({ preferences: saved })
    },
  })
  return (change: Preferences) => {
    if (count() === 0) saved = preferences
    const columns = { ...preferences.columns, ...change.columns }
    updateMe({ preferences: { ...preferences, ...change, columns } })
    mutate(change)
  }
}
