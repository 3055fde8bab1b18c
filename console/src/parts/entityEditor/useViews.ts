import type { EditorView } from '@mokuroku/contract/preferences'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useMe } from '#api/session.ts'
import { focusedPlace } from '#parts/form/focus.ts'
import type { FormHandle } from '#parts/form/FormView.tsx'
import { placeAt, spanAt } from '#parts/jsonEditor/place.ts'
import { takeOpenedByKey } from '#parts/openedByKey.ts'
import { useSavePreferences } from '#parts/useSavePreferences.ts'
import { useShortcut } from '#ui/useShortcut.ts'
import type { Problem } from './Problems.tsx'
import type { Handle } from './useEditing.ts'

export type Views = ReturnType<typeof useViews>

/** The current view; switching shows the same place of the document in the other view. */
export function useViews(handle: Handle, text: string) {
  const form = useRef<FormHandle>(null)
  const { view, choose } = useChosenView()
  /** The place to show once the form, whose code is loaded when it is first shown, has rendered. */
  const placeInForm = useRef<ReturnType<typeof placeAt>>(undefined)
  const toggle = () => {
    if (view === 'form') {
      const place = focusedPlace()
      // After the JSON has rendered.
      setTimeout(() => handle.current?.show(spanAt(text, place)))
    }
    placeInForm.current = view === 'json' ? placeAt(text, handle.current?.position() ?? 0) : undefined
    choose(view === 'form' ? 'json' : 'form')
  }
  useShortcut('mod+e', toggle)
  const focus = () => {
    const from = handle.current?.position() ?? 0
    return view === 'form' ? form.current?.show([]) : handle.current?.show({ from, to: from })
  }
  useShortcut('e', focus)
  /** Called once a view can be focused. Waits until the shell has focused the start of the screen. */
  const focusIfByKey = () => {
    if (takeOpenedByKey()) setTimeout(focus)
  }
  const onForm = () => {
    const place = placeInForm.current
    placeInForm.current = undefined
    if (place) form.current?.show(place)
    else focusIfByKey()
  }
  const onShown = useEffectEvent(() => view === 'json' && focusIfByKey())
  useEffect(() => void onShown(), [])
  return {
    view,
    form,
    choose,
    /** Called once the form has rendered. */
    onForm,
    showProblem: (problem: Problem) =>
      view === 'form' ? form.current?.show(problem.place) : handle.current?.show(problem),
  }
}

/** Whether entities are edited in a form or as JSON: the user's last choice, JSON by default. */
function useChosenView() {
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
