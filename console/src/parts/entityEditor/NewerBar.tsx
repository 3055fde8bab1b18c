import { GitMerge, Trash2 } from 'lucide-react'
import { useLanguage } from '#i18n/messages.ts'
import { Button } from '#ui/Button.tsx'
import { listPeople } from './listPeople.ts'
import { Notice } from './Notice.tsx'
import { editorTexts } from './texts.ts'
import type { Newer } from './useNewer.ts'

/** How many of the changed fields are named. */
const MAX_PATHS = 4

/** Announces that others have saved the entity in the meantime, and offers to merge their changes. */
export function NewerBar({ newer, onTakeIn }: { newer: Newer | undefined; onTakeIn: () => void }) {
  const { newer: texts } = editorTexts.use()
  const language = useLanguage()
  const sentence = newer ? sentenceOf(newer) : ''
  function sentenceOf({ theirs, isMerged, isOwn, savedBy, paths }: Newer) {
    const who = listPeople(savedBy, 0, language)
    if (isMerged) return texts.merged(who)
    if (!theirs) return texts.deleted(who)
    return isOwn ? texts.own(paths.length) : texts.changed(who, paths.length)
  }
  return (
    <>
      <p role="status" className="sr-only">
        {sentence}
      </p>
      {newer && (
        <Notice
          icon={newer.theirs ? GitMerge : Trash2}
          title={sentence}
          hint={newer.theirs ? pathsOf(newer) : texts.goneHint}
          isAnnounced
        >
          {newer.theirs && (
            <Button size="small" variant="primary" onClick={onTakeIn}>
              {texts.takeIn}
            </Button>
          )}
        </Notice>
      )}
    </>
  )
}

const pathsOf = ({ paths }: Newer) =>
  [...paths.slice(0, MAX_PATHS), ...(paths.length > MAX_PATHS ? ['…'] : [])].join(', ')
