import { type Kind, kindOf, type Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { Link } from '@tanstack/react-router'
import { CircleAlert, Copy, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '#i18n/errors.ts'
import { useMessages } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import type { Fields } from '#lib/editorText.ts'
import { useDebounced } from '#lib/useDebounced.ts'
import { Notice } from '#parts/entityEditor/Notice.tsx'
import { Button } from '#ui/Button.tsx'
import { Stack } from '#ui/layout.tsx'
import { Retrying } from '#ui/Retrying.tsx'
import { MatchFacts } from './MatchFacts.tsx'
import { mergeTexts } from './texts.ts'
import { useLikelyDuplicates } from './useLikely.ts'

const DEBOUNCE_MS = 500

/**
 * Warns of likely duplicates while a new entry is being written. `value` is undefined while it is invalid: then the
 * warning is about the last valid one.
 */
export function LikelyDuplicates({ kind, value }: { kind: Kind & Translated; value: Fields | undefined }) {
  const texts = mergeTexts.use()
  const { common } = useMessages()
  // As a string, so that equal values keep their identity.
  const settled = useDebounced(value && JSON.stringify(named(kind, value)), DEBOUNCE_MS)
  const [last, setLast] = useState(settled)
  if (settled !== undefined && settled !== last) setLast(settled)
  const document = last === undefined ? undefined : (JSON.parse(last) as Document)
  const { matches, failure, isLoading, retry } = useLikelyDuplicates(kind, document)
  if (failure)
    return (
      <Notice icon={CircleAlert} title={texts.likelyFailed} hint={messageOf(failure)}>
        <Button size="small" icon={RotateCw} busy={isLoading} onClick={() => void retry()}>
          {common.retry}
        </Button>
        <Retrying busy={isLoading} />
      </Notice>
    )
  if (matches.length === 0) return null
  return (
    <Notice icon={Copy} title={texts.found(matches.length)} hint={texts.hintOfFound}>
      <Stack as="ul" gap={2}>
        {matches.map((entity) => (
          <li key={entity._id}>
            <Link to={screenOf(kind, entity._id)} target="_blank">
              <MatchFacts kind={kind} entity={entity} />
            </Link>
          </li>
        ))}
      </Stack>
    </Notice>
  )
}

/** The fields that matter for finding duplicates. */
function named(kind: Translated, value: Fields): Fields {
  const { original = '', aliases = '' } = kindOf(kind).texts ?? {}
  const names = new Set(['translations', original, aliases, 'mediaType', 'type', 'mediaRefs', 'releaseDate'])
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
}
