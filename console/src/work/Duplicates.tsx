import type { Translated } from '@mokuroku/contract/kinds'
import { Link } from '@tanstack/react-router'
import { Merge } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { messageOf } from '#i18n/errors.ts'
import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import { screenOf } from '#lib/areas.ts'
import type { Stored } from '#parts/area/area.ts'
import { MatchFacts } from '#parts/merging/MatchFacts.tsx'
import { MergeDialog } from '#parts/merging/MergeDialog.tsx'
import { documentOf } from '#parts/merging/sides.ts'
import { mergeTexts } from '#parts/merging/texts.ts'
import { useLikelyDuplicates } from '#parts/merging/useLikely.ts'
import { useKeptState } from '#parts/useKeptState.ts'
import { Button } from '#ui/Button.tsx'
import { Failed } from '#ui/Loaded.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { toast } from '#ui/toast.ts'
import type { Desk } from './desk.ts'
import { focusOnArrival } from './focusOnArrival.ts'

/** The likely duplicates of an entity, each with a button to merge. */
export function Duplicates({ desk, entity }: { desk: Desk; entity: Stored }) {
  const texts = mergeTexts.use()
  const language = useLanguage()
  const { area } = desk
  const kind = area.kind as Translated & typeof area.kind
  const refused = area.refusals(useMe())
  const [other, setOther] = useKeptState<Stored | undefined>(`duplicate of ${entity._id}`, undefined)
  const subject = documentOf(area.editor.schema, entity)
  const { matches, failure, isLoading, retry } = useLikelyDuplicates(kind, subject, entity._id)
  const place = useRef<HTMLElement>(null)
  const isFound = matches.length > 0
  useEffect(() => {
    if (desk.task.fill === 'merge' && isFound) focusOnArrival(place.current?.querySelector('button'))
  }, [desk, isFound])
  if (failure) return <Failed what={texts.likelyFailed} hint={messageOf(failure)} busy={isLoading} retry={retry} />
  if (matches.length === 0) return null
  return (
    <section ref={place} aria-label={texts.found(matches.length)}>
      <h3>{texts.found(matches.length)}</h3>
      <Stack as="ul" gap={2}>
        {matches.map((match) => (
          <Row as="li" key={match._id} gap={3} justify="between" wrap>
            <Stack>
              <Link to={screenOf(kind, match._id)}>
                <MatchFacts kind={kind} entity={match} />
              </Link>
            </Stack>
            <Button
              size="small"
              icon={Merge}
              aria-label={`${texts.merge}: ${area.nameOf(match, language).text}`}
              reason={refused.edit(entity) ?? refused.delete(match)}
              onClick={() => setOther(match)}
            >
              {texts.merge}
            </Button>
          </Row>
        ))}
      </Stack>
      {other && (
        <MergeDialog
          area={area}
          ids={[entity._id, other._id]}
          onClose={() => setOther(undefined)}
          onMerged={(batch, into, from) => {
            setOther(undefined)
            toast.success(texts.merged)
            desk.noteMerge(batch, into, from)
          }}
        />
      )}
    </section>
  )
}
