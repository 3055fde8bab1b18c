import { GitMerge, Trash2 } from 'lucide-react'
import { type Language, useLanguage } from '#i18n/messages.ts'
import { enumerated } from '#lib/text.ts'
import { useChangeText } from '#parts/history/changeText.ts'
import type { Revised } from '#parts/history/revised.ts'
import { capital } from '#parts/labels.ts'
import { Button } from '#ui/Button.tsx'
import { listPeople } from './listPeople.ts'
import { Notice } from './Notice.tsx'
import { editorTexts } from './texts.ts'
import type { Newer } from './useNewer.ts'

/** How many of the changed fields are named. */
const MAX_FIELDS = 4

interface Props {
  newer: Newer | undefined
  revised: Revised
  onTakeIn: () => void
}

/** Announces that others have saved the entity in the meantime, and offers to merge their changes. */
export function NewerBar({ newer, revised, onTakeIn }: Props) {
  const { newer: texts } = editorTexts.use()
  const language = useLanguage()
  const { namesOf } = useChangeText(revised)
  const fields = namesOf(newer?.paths ?? [])
  const sentence = newer ? sentenceOf(newer) : ''
  function sentenceOf({ theirs, isMerged, isOwn, savedBy }: Newer) {
    const who = listPeople(savedBy, 0, language)
    if (isMerged) return texts.merged(who)
    if (!theirs) return texts.deleted(who)
    return isOwn ? texts.own(fields.length) : texts.changed(who, fields.length)
  }
  return (
    <>
      <p role="status" className="sr-only">
        {sentence}
      </p>
      {newer && (
        <Notice
          icon={newer.theirs || newer.isMerged ? GitMerge : Trash2}
          title={sentence}
          hint={newer.theirs ? someOf(fields, language) : newer.isMerged ? texts.mergedHint : texts.goneHint}
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

const someOf = (fields: readonly string[], language: Language) =>
  capital(enumerated([...fields.slice(0, MAX_FIELDS), ...(fields.length > MAX_FIELDS ? ['…'] : [])], language))
