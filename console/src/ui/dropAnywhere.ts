import { type RefObject, useEffect, useEffectEvent } from 'react'
import { hasFiles } from './hasFiles.ts'

/**
 * Takes files that are dropped anywhere in the window, for a screen or dialog with one drop target: not while a dialog
 * covers it. `onOver` is called while files are dragged over the window, and with `false` when they no longer are.
 */
export function useDropAnywhere(
  onFiles: (files: FileList) => void,
  onOver?: (isOver: boolean) => void,
  zone?: RefObject<HTMLElement | null>,
) {
  const onDrag = useEffectEvent((event: DragEvent) => {
    const cover = [...document.querySelectorAll('dialog[open]')].at(-1)
    if (event.defaultPrevented || !hasFiles(event) || (cover && !cover.contains(zone?.current ?? null))) return
    event.preventDefault()
    onOver?.(event.type === 'dragover')
    if (event.type === 'drop') onFiles(event.dataTransfer.files)
  })
  const onLeave = useEffectEvent(({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) onOver?.(false)
  })
  useEffect(() => {
    const listeners = {
      dragover: (event: DragEvent) => onDrag(event),
      drop: (event: DragEvent) => onDrag(event),
      dragleave: (event: DragEvent) => onLeave(event),
    }
    const names = ['dragover', 'drop', 'dragleave'] as const
    for (const name of names) document.addEventListener(name, listeners[name])
    return () => names.forEach((name) => document.removeEventListener(name, listeners[name]))
  }, [])
}
