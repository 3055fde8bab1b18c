import type { EditorView } from '@mokuroku/contract/preferences'
import { useState } from 'react'
import { useMe } from '#api/session.ts'
import { useSavePreferences } from '#parts/useSavePreferences.ts'

/** Whether entities are edited in a form or as JSON: the user's last choice, JSON by default. */
export function useView() {
  const { preferences } = useMe()
  // Of this page: it holds even if the choice cannot be saved.
  const [view, setView] = useState<EditorView>(preferences.editor ?? 'json')
  const save = useSavePreferences({ quiet: true })
  return {
    view,
    choose: (editor: EditorView) => {
      setView(editor)
      save({ columns: {}, editor })
    },
  }
}
