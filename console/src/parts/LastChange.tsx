import { useState } from 'react'
import { formTexts } from './form/texts.ts'

interface Change {
  id: string
  how: 'added' | 'removed'
}

/** The last id that was added to a list, or else removed from it; undefined before the first change. */
export function useLastChange(ids: readonly string[]): Change | undefined {
  const [{ known, change }, setState] = useState<{ known: readonly string[]; change?: Change | undefined }>({
    known: ids,
  })
  const added = ids.find((id) => !known.includes(id))
  const removed = known.find((id) => !ids.includes(id))
  if (added !== undefined) setState({ known: ids, change: { id: added, how: 'added' } })
  else if (removed !== undefined) setState({ known: ids, change: { id: removed, how: 'removed' } })
  return change
}

/** Announces the last change of a list to screen readers, once the name of what it changed is known. */
export function LastChange({ change, name }: { change: Change | undefined; name: string | undefined }) {
  const texts = formTexts.use()
  return (
    <p role="status" className="sr-only">
      {change && name && texts[change.how](name)}
    </p>
  )
}
