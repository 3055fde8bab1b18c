import { hasFiles } from './hasFiles.ts'

/** Files that are dropped where nothing takes them do not make the browser open them instead of the console. */
export function keepFilesOut() {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !hasFiles(event)) return
    // The JSON editor takes text files, on the drop alone.
    if (event.type === 'dragover' && event.target instanceof HTMLElement && event.target.isContentEditable) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  addEventListener('dragover', refuse)
  addEventListener('drop', refuse)
}
