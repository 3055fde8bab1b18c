import { type Batch, batchesApi } from '@mokuroku/contract/batches'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { canRollBack, isEnded, useBatch, useRollback } from '#api/batches.ts'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { DetailFrame, PendingDetail } from '#parts/DetailFrame.tsx'
import { useBackTo } from '#parts/useBackTo.ts'
import { UserLink } from '#parts/UserLink.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Page } from '#ui/Page.tsx'
import { toast } from '#ui/toast.ts'
import { Counts, State, useBatchSummary, useTagsOf } from './BatchColumns.tsx'
import { BatchResults } from './BatchResults.tsx'
import { RollBack } from './RollBack.tsx'
import { batchTexts } from './texts.ts'

/** One batch: its progress, the result of each item, and the actions on it. */
export function BatchDetail({ id }: { id: string }) {
  const texts = batchTexts.use()
  const back = useBack()
  const found = useQuery({ ...q(batchesApi.find, { id }), staleTime: 0, meta: { quiet: true } })
  return (
    <DetailFrame
      query={found}
      back={back}
      texts={{ ...texts, failed: texts.failedDetails }}
      pending={<PendingDetail title={texts.detail} back={back} loading={texts.loadingDetails} />}
    >
      {(batch) => <Found loaded={batch} />}
    </DetailFrame>
  )
}

const useBack = () => useBackTo('/batches', batchTexts.use().back)

function Found({ loaded }: { loaded: Batch }) {
  const texts = batchTexts.use()
  const followed = useBatch(isEnded(loaded) ? undefined : loaded._id) ?? loaded
  const batch = { ...followed, rollback: useRollback(followed) ?? null }
  const summary = useBatchSummary(batch, useTagsOf([batch]))
  return (
    <Page title={texts.detailOf(summary)} back={useBack()} actions={<Actions batch={batch} />}>
      <BatchFacts batch={batch} />
      <BatchResults batch={batch} />
    </Page>
  )
}

function BatchFacts({ batch }: { batch: Batch }) {
  const texts = batchTexts.use()
  const { columns, details, reason } = texts
  const language = useLanguage()
  const { createdBy, createdAt, rollsBack, rollback } = batch
  return (
    <Card title={details}>
      <Facts>
        <Fact name={columns.state}>
          <State batch={batch} />
        </Fact>
        <Fact name={columns.counts}>
          <Counts batch={batch} />
        </Fact>
        <Fact name={columns.by}>
          <UserLink {...createdBy} />
        </Fact>
        <Fact name={columns.created}>{longDateTime(createdAt, language)}</Fact>
        {rollsBack && (
          <Fact name={texts.rollsBack}>
            <Link to="/batches/$id" params={{ id: rollsBack }}>
              {texts.viewRolledBack}
            </Link>
          </Fact>
        )}
        {rollback && (
          <Fact name={texts.rollback} wide>
            <Counts batch={rollback} /> · <UserLink {...rollback.createdBy} /> ·{' '}
            {longDateTime(rollback.createdAt, language)} ·{' '}
            <Link to="/batches/$id" params={{ id: rollback._id }}>
              {texts.viewRollback}
            </Link>
          </Fact>
        )}
        {batch.reason && (
          <Fact name={reason} wide>
            {batch.reason}
          </Fact>
        )}
      </Facts>
    </Card>
  )
}

function Actions({ batch }: { batch: Batch }) {
  const texts = batchTexts.use()
  const [asks, setAsks] = useState(false)
  const cancel = useMutation({
    mutationFn: () => call(batchesApi.cancel, { id: batch._id }),
    meta: { failure: texts.cancelFailed },
    onSuccess: () => toast.success(batchTexts.get().cancelled),
  })
  if (!isEnded(batch))
    return (
      <Button icon={Ban} busy={cancel.isPending} onClick={() => cancel.mutate()}>
        {texts.cancel}
      </Button>
    )
  return (
    <>
      {canRollBack(batch) && (
        <Button icon={Undo2} onClick={() => setAsks(true)}>
          {texts.rollBack}
        </Button>
      )}
      {/* Also if somebody else has rolled it back meanwhile, so that the dialog can say that nothing is left to do. */}
      {asks && <RollBack batch={batch} onClose={() => setAsks(false)} />}
    </>
  )
}
