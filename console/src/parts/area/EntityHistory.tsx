import { useQuery } from '@tanstack/react-query'
import { editorOf } from '#lib/areas.ts'
import { DetailFrame } from '#parts/DetailFrame.tsx'
import { historyTexts } from '#parts/history/texts.ts'
import { LazyHistory } from '#parts/history/WithHistory.tsx'
import { Page } from '#ui/Page.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import type { Area } from './area.ts'
import { find } from './calls.ts'
import { EditLink } from './EditLink.tsx'
import { revisedOf } from './revisedOf.ts'
import { useArea } from './useArea.ts'

/** History screen of an entity that has an editor but no detail screen. */
export function EntityHistory({ area, id }: { area: Area; id: string }) {
  const { texts: own, refusals, nameOf, back } = useArea(area)
  const { notFound, notFoundHint, editor } = own
  const texts = historyTexts.use()
  const pending = (
    <Page title={texts.history} back={back}>
      <p role="status" className="sr-only">
        {texts.loading}
      </p>
      <SkeletonLines lines={6} height={56} />
    </Page>
  )
  return (
    <DetailFrame
      isRestorable
      query={useQuery(find(area, id))}
      back={back}
      texts={{ notFound, notFoundHint, failed: editor.loadFailed }}
      pending={pending}
    >
      {(entity) => {
        const name = nameOf(entity)
        const refusal = refusals.edit(entity)
        return (
          <Page
            title={texts.of(name.text)}
            lang={name.lang}
            subtitle={texts.subtitle}
            back={back}
            actions={<EditLink to={editorOf(area.kind, id)} refusal={refusal} />}
          >
            <LazyHistory revised={revisedOf(area)} id={id} refusal={refusal} />
          </Page>
        )
      }}
    </DetailFrame>
  )
}
