import { restoreSingleKeys } from '#api/singleKeys.ts'
import { escapeToRows } from '#ui/escapeToRows.ts'
import { focusRefused } from '#ui/focusRefused.ts'
import { ignoreStaleClicks } from '#ui/ignoreStaleClicks.ts'
import { keepFilesOut } from '#ui/keepFilesOut.ts'
import { keepFocus } from '#ui/keepFocus.ts'
import { undoByKey } from '#ui/undoByKey.ts'
import { router } from './routes.tsx'
import { returnToRows } from './shell/returnToRow.ts'

/** What is not needed to show the first screen. */
export function afterStart() {
  restoreSingleKeys()
  keepFocus()
  keepFilesOut()
  undoByKey()
  ignoreStaleClicks()
  escapeToRows()
  focusRefused()
  returnToRows(router)
}
