import { History } from 'lucide-react'
import type { Draft } from '#api/drafts.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { Button } from '#ui/Button.tsx'
import { Notice } from './Notice.tsx'
import { editorTexts } from './texts.ts'

interface Props {
  draft: Draft
  /** Current version of the entity. */
  version: number | undefined
  onRestore: () => void
  onDiscard: () => void
}

/** Offers a draft that was typed here earlier and never saved. */
export function DraftOffer({ draft, version, onRestore, onDiscard }: Props) {
  const editor = editorTexts.use()
  const language = useLanguage()
  const { found, changed, unchanged, merged, restore, discard } = editor.draft
  const hint = version === undefined ? undefined : version === draft.version ? unchanged : changed
  return (
    <Notice icon={History} title={found(longDateTime(draft.at, language))} hint={draft.isMerged ? merged : hint}>
      <Button size="small" variant="primary" onClick={onRestore}>
        {restore}
      </Button>
      <Button once size="small" onClick={onDiscard}>
        {discard}
      </Button>
    </Notice>
  )
}
