import { authApi } from '@mokuroku/contract/auth'
import type { EditorView } from '@mokuroku/contract/preferences'
import { useMutation } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { keepPreferences, useMe } from '#api/session.ts'

/** Whether entities are edited in a form or as JSON: the user's last choice, JSON by default. */
export function useView() {
  const { preferences } = useMe()
  const save = useMutation({
    mutationFn: (editor: EditorView) => call(authApi.updatePreferences, { body: { columns: {}, editor } }),
    meta: { quiet: true },
    onSuccess: keepPreferences,
  })
  return {
    view: preferences.editor ?? 'json',
    choose: (editor: EditorView) => {
      // Optimistic update; if saving the preference fails, it holds until the page is left.
      keepPreferences({ ...preferences, editor })
      save.mutate(editor)
    },
  }
}
