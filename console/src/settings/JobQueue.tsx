import { JOB_STATES } from '@mokuroku/contract/batches'
import { jobsApi, type QueuedJob } from '@mokuroku/contract/jobs'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Play, X } from 'lucide-react'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { qList } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { count } from '#lib/sizes.ts'
import { serverTexts } from '#parts/serverTexts.ts'
import { NotRefreshed } from '#parts/NotRefreshed.tsx'
import { Badge, type Tone } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Pager } from '#ui/Pager.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { useSettingsRefusal } from './rights.ts'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'

/** Polling interval in milliseconds: other processes work on the queue. */
const POLL_INTERVAL_MS = 3000
const PAGE_SIZE = 20

/** Background jobs of all servers: queued, done, or failed with the reason. */
export function JobQueue() {
  const { sections, jobs: texts } = area.use()
  const { common } = useMessages()
  const [page, setPage] = useState(1)
  const [state, setState] = useState<QueuedJob['state'] | ''>('')
  const jobs = useQuery({
    ...qList(jobsApi.list, { query: { page, limit: PAGE_SIZE, state: state || undefined } }),
    staleTime: 0,
    refetchInterval: POLL_INTERVAL_MS,
    // A failure would be reported again and again.
    meta: { quiet: true },
  })
  const options = [
    { value: '', label: texts.all },
    ...JOB_STATES.map((each) => ({ value: each, label: texts.states[each] })),
  ]
  return (
    <Card title={sections.jobs} count={jobs.data?.pagination.total}>
      <div className={css.form}>
        <p className={css.hint}>{texts.hint}</p>
        <SelectField
          className={css.field ?? ''}
          label={texts.state}
          value={state}
          options={options}
          onChange={(next) => {
            setState(next as typeof state)
            setPage(1)
          }}
        />
        <Loaded query={jobs} loading={texts.loading} failed={texts.failed} skeleton={<SkeletonLines lines={6} />}>
          {({ data, pagination }) => (
            <>
              <NotRefreshed query={jobs} />
              {data.length === 0 && <p>{page > 1 ? common.emptyPage : texts.none}</p>}
              <ul className={css.servers} tabIndex={-1} aria-label={sections.jobs}>
                {data.map((job) => (
                  <li key={job._id}>
                    <Job job={job} />
                  </li>
                ))}
              </ul>
              {(pagination.total > PAGE_SIZE || page > 1) && (
                <Pager
                  page={page}
                  hasNext={page * PAGE_SIZE < pagination.total}
                  pages={Math.ceil(pagination.total / PAGE_SIZE)}
                  onPage={setPage}
                />
              )}
            </>
          )}
        </Loaded>
      </div>
    </Card>
  )
}

const TONES: Record<QueuedJob['state'], Tone> = {
  queued: 'neutral',
  running: 'accent',
  done: 'success',
  failed: 'danger',
  cancelled: 'neutral',
}

function Job({ job }: { job: QueuedJob }) {
  const { _id: id, kind, state, done, total, attempts, error, dueAt, finishedAt, isRepeated, canRetry, canCancel } = job
  const { jobs: texts } = area.use()
  const { jobKinds } = serverTexts.use()
  const language = useLanguage()
  const refusal = useSettingsRefusal()
  const retry = useMutation({ mutationFn: () => call(jobsApi.retry, { id }), meta: { failure: texts.retryFailed } })
  const cancel = useMutation({ mutationFn: () => call(jobsApi.cancel, { id }), meta: { failure: texts.cancelFailed } })
  const name = jobKinds[kind] ?? kind
  const facts = [
    finishedAt ? texts.finished(longDateTime(finishedAt, language)) : texts.due(longDateTime(dueAt, language)),
    total >= done && total > 0 && texts.progress(count(done, language), count(total, language)),
    attempts > 1 && texts.attempts(attempts),
    isRepeated && texts.repeated,
  ]
  return (
    <Row gap={3} wrap justify="between">
      <div className={css.package}>
        <Row gap={2} wrap>
          {name}
          <Badge tone={TONES[state]}>{texts.states[state]}</Badge>
        </Row>
        <Muted small as="div">
          {facts.filter(Boolean).join(' · ')}
        </Muted>
        {error && (
          <Muted small as="div" className={css.package}>
            {error}
          </Muted>
        )}
      </div>
      <Row gap={2}>
        {canRetry && (
          <Button
            size="small"
            icon={Play}
            busy={retry.isPending}
            reason={refusal}
            aria-label={state === 'failed' ? texts.retryOf(name) : texts.startOf(name)}
            onClick={() => retry.mutate()}
          >
            {state === 'failed' ? texts.retry : texts.start}
          </Button>
        )}
        {canCancel && (
          <Button
            size="small"
            icon={X}
            busy={cancel.isPending}
            reason={refusal}
            aria-label={texts.cancelOf(name)}
            onClick={() => cancel.mutate()}
          >
            {texts.cancel}
          </Button>
        )}
      </Row>
    </Row>
  )
}
