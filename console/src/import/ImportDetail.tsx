import type { Batch } from '@mokuroku/contract/batches'
import { type Import, importsApi } from '@mokuroku/contract/imports'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ban, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '#api/call.ts'
import { localized } from '#i18n/errors.ts'
import { isUnderWay, useImport } from '#api/imports.ts'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { DetailFrame, PendingDetail } from '#parts/DetailFrame.tsx'
import { useBackTo } from '#parts/useBackTo.ts'
import { BatchOutcome } from '#parts/selection/BatchOutcome.tsx'
import { LeaveGuard } from '#parts/entityEditor/LeaveGuard.tsx'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { Page } from '#ui/Page.tsx'
import { toast } from '#ui/toast.ts'
import { useIsMounted } from '#ui/useIsMounted.ts'
import { useChangeVersion } from './changeVersion.ts'
import { CorrectionBar, useCorrections } from './Corrections.tsx'
import css from './Import.module.css'
import { ImportRows } from './ImportRows.tsx'
import { Mapping, MappingBar, useMapping } from './Mapping.tsx'
import { StateBadge } from './StateBadge.tsx'
import { importTexts } from './texts.ts'

/** One import: its progress, the mapping of columns, the planned result of each row, and the button that applies it. */
export function ImportDetail({ id }: { id: string }) {
  const texts = importTexts.use()
  const back = useBack()
  const found = useQuery({ ...q(importsApi.find, { id, query: { limit: 1 } }), staleTime: 0, meta: { quiet: true } })
  return (
    <DetailFrame
      query={found}
      back={back}
      texts={{ ...texts, failed: texts.failedDetails }}
      pending={<PendingDetail title={texts.title} back={back} loading={texts.loadingDetails} />}
    >
      {(one) => <Found loaded={one} />}
    </DetailFrame>
  )
}

const useBack = () => useBackTo('/import', importTexts.use().back)

function Found({ loaded }: { loaded: Import }) {
  const texts = importTexts.use()
  const followed = useImport(loaded)
  const one: Import = followed ? { ...loaded, ...followed } : loaded
  const { state, filename, total } = one
  const version = useChangeVersion(one)
  const corrections = useCorrections(one, version)
  const mapping = useMapping(one, version, corrections.awaitCheck)
  // If it was applied in another window, there are no more cells to correct.
  const isCorrected = one.batch === null && corrections.typed.length > 0
  const isChanged = isCorrected || mapping.isChanged
  if (!isChanged) version.end()
  return (
    <Page
      title={filename || texts.untitled}
      lang={guessLanguage(filename)}
      back={useBack()}
      actions={<Actions one={one} />}
      subtitle={<StateBadge state={state} />}
    >
      <Card>
        <Status one={one} isChanged={isChanged} again={<CheckAgain mapping={mapping} />} />
      </Card>
      {total > 0 && <ImportRows key={state} one={one} corrections={corrections} />}
      {total > 0 && one.batch === null && <Mapping one={one} chosen={mapping} />}
      <LeaveGuard isKeptOnPath unsaved={() => isChanged} question={texts.leave} />
      {/* One after the other: each has the rows checked again. */}
      {mapping.isChanged ? <MappingBar chosen={mapping} /> : isCorrected && <CorrectionBar corrections={corrections} />}
    </Page>
  )
}

function Actions({ one }: { one: Import }) {
  const texts = importTexts.use()
  const navigate = useNavigate()
  const isMounted = useIsMounted()
  const { _id: id } = one
  const cancel = useMutation({
    mutationFn: () => call(importsApi.cancel, { id }),
    meta: { failure: texts.cancelFailed },
  })
  const remove = useMutation({
    mutationFn: () => call(importsApi.remove, { id }),
    meta: { failure: texts.removeFailed },
    onSuccess: async () => {
      toast.success(importTexts.get().removed)
      // Changes to it have gone with it.
      if (isMounted()) await navigate({ to: '/import', ignoreBlocker: true })
    },
  })
  if (isUnderWay(one))
    return (
      <Button icon={Ban} busy={cancel.isPending} onClick={() => cancel.mutate()}>
        {texts.cancel}
      </Button>
    )
  return (
    <Button icon={Trash2} variant="quiet" busy={remove.isPending} onClick={() => remove.mutate()}>
      {texts.remove}
    </Button>
  )
}

interface StatusProps {
  one: Import
  /** Whether there are changes for which the rows have not been checked again. */
  isChanged: boolean
  /** Has the rows of an import that was cancelled, or has failed, checked again. */
  again: ReactNode
}

/** Whether likely duplicates are left out or created. */
type Duplicates = 'skip' | 'write'

interface ReadyProps extends Omit<StatusProps, 'again'> {
  duplicates: Duplicates
  onDuplicates: (duplicates: Duplicates) => void
}

function Status({ one, isChanged, again }: StatusProps) {
  const texts = importTexts.use()
  const [isClosed, setClosed] = useState(false)
  const [duplicates, setDuplicates] = useState<Duplicates>('skip')
  const { state, reason, batch, entityType, total } = one
  // All of its rows have been read if their number is known. Changes have a button of their own.
  const isRestartable = total > 0 && !isChanged
  if (batch !== null)
    return isClosed ? (
      <StateBadge state={state} />
    ) : (
      <BatchOutcome id={batch} effectOf={(applied) => effectOf(one, applied)} onClose={() => setClosed(true)} />
    )
  if (state === 'failed')
    return (
      <Row gap={4} wrap justify="between">
        <p role="alert" className={css.summary}>
          {reason && localized(reason)}
        </p>
        {isRestartable && again}
        <Link to="/import" search={{ kind: entityType }} className={buttonClass()}>
          {texts.chooseOther}
        </Link>
      </Row>
    )
  return (
    <Row gap={4} wrap align="end" justify="between">
      {/* The same element in all states, so that the end of the check is announced, too. */}
      <Stack gap={1} role="status" tabIndex={-1} data-summary className={css.summary}>
        {state === 'ready' && <Summary one={one} duplicates={duplicates} />}
        {state === 'cancelled' && <p>{texts.cancelled}</p>}
        {isUnderWay(one) && <Progress one={one} />}
      </Stack>
      {state === 'ready' && <Ready {...{ one, isChanged, duplicates }} onDuplicates={setDuplicates} />}
      {state === 'cancelled' && isRestartable && again}
    </Row>
  )
}

function CheckAgain({ mapping: { save, isSaving } }: { mapping: ReturnType<typeof useMapping> }) {
  const texts = importTexts.use()
  return (
    <Button variant="primary" busy={isSaving} onClick={save}>
      {texts.recheck}
    </Button>
  )
}

function Progress({ one: { progress, total } }: Pick<StatusProps, 'one'>) {
  const texts = importTexts.use()
  const language = useLanguage()
  const label = progress ? texts.progress(count(progress.done, language), count(total, language)) : texts.reading
  return (
    <>
      <progress className={css.progress} max={progress?.total ?? 1} value={progress?.done} aria-label={label} />
      <p>{label}</p>
    </>
  )
}

/** What applying did: rows of translations change entries. */
function effectOf({ entityType, counts }: Import, { change }: Batch) {
  if (entityType === 'Translation') return 'changed'
  if (counts.changed === 0) return 'created'
  const created = counts.new + (change?.duplicates === 'write' ? counts.duplicates : 0)
  return created === 0 ? 'changed' : 'written'
}

/** What applying would do, in words. */
function Summary({ one: { counts }, duplicates }: Pick<ReadyProps, 'one' | 'duplicates'>) {
  const texts = importTexts.use()
  const language = useLanguage()
  const left = counts.refused + (duplicates === 'write' ? 0 : counts.duplicates)
  const { created, changed } = writtenBy(counts, duplicates)
  return (
    <>
      <p>
        <strong>
          {texts.summary(created, count(created, language), changed, count(changed, language)) || texts.nothing}
        </strong>
      </p>
      {left > 0 && <p>{texts.left(left, count(left, language))}</p>}
    </>
  )
}

/** How many entries applying would create and change. */
const writtenBy = (counts: Import['counts'], duplicates: Duplicates) => ({
  created: counts.new + (duplicates === 'write' ? counts.duplicates : 0),
  changed: counts.changed,
})

/** What becomes of likely duplicates, and the button that applies the import. */
function Ready({ one, isChanged, duplicates, onDuplicates }: ReadyProps) {
  const texts = importTexts.use()
  const { counts } = one
  const apply = useMutation({
    mutationFn: () => call(importsApi.apply, { id: one._id, body: { duplicates } }),
    meta: { failure: texts.applyFailed },
  })
  const { created, changed } = writtenBy(counts, duplicates)
  return (
    <>
      {counts.duplicates > 0 && (
        <SelectField
          label={texts.duplicates}
          value={duplicates}
          options={[
            { value: 'skip', label: texts.skip },
            { value: 'write', label: texts.write },
          ]}
          onChange={(value) => onDuplicates(value === 'write' ? 'write' : 'skip')}
        />
      )}
      <Button
        variant="primary"
        busy={apply.isPending}
        reason={isChanged ? texts.checkFirst : created + changed === 0 ? texts.nothing : undefined}
        onClick={() => apply.mutate()}
      >
        {texts.apply}
      </Button>
    </>
  )
}
