import { CATALOGUE, kinds } from '@mokuroku/contract/kinds'
import { type IndexState, indexApi } from '@mokuroku/contract/search'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { count } from '#lib/sizes.ts'
import { NotRefreshed } from '#parts/NotRefreshed.tsx'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { Outcome } from './Outcome.tsx'
import { useSettingsRefusal } from './rights.ts'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'

/** Polling interval during a rebuild, in milliseconds. */
const POLL_INTERVAL_MS = 500

export function SearchState() {
  const { sections, search: texts } = area.use()
  const state = useQuery({
    ...q(indexApi.state),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.isRunning ? POLL_INTERVAL_MS : false),
    // A failure would be reported again and again.
    meta: { quiet: true },
  })
  return (
    <Card title={sections.search}>
      <Loaded query={state} loading={texts.loading} failed={texts.failed} skeleton={<SkeletonLines lines={3} />}>
        {(index) => (
          <>
            <NotRefreshed query={state} />
            <Index index={index} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Index({ index }: { index: IndexState }) {
  const { search: texts } = area.use()
  const { kinds: names } = useMessages()
  const language = useLanguage()
  const refusal = useSettingsRefusal()
  const client = useQueryClient()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => call(indexApi.rebuild),
    meta: { failure: texts.rebuildFailed },
    onSuccess: (state) => client.setQueryData(q(indexApi.state).queryKey, state),
  })
  const isRebuilt = isSuccess && index.status === 'ready'
  const isIncomplete = index.status === 'indexing' && !index.isRunning
  return (
    <div className={css.form}>
      <Facts>
        <Fact name={texts.state}>
          <State index={index} />
        </Fact>
        {CATALOGUE.map((kind) => (
          <Fact key={kind} name={names[kind].list}>
            {count(index.entries[kinds[kind].plural], language)}
          </Fact>
        ))}
        <Fact name={texts.rebuiltAt} wide>
          {index.rebuiltAt ? longDateTime(index.rebuiltAt, language) : texts.never}
        </Fact>
      </Facts>
      {index.isRunning && <Progress {...index} />}
      <Outcome
        result={
          isRebuilt ? { success: true, title: texts.rebuilt(index.done, count(index.done, language)) } : undefined
        }
      />
      <p className={css.hint}>{isIncomplete ? texts.incompleteHint : texts.hint}</p>
      <footer className={css.footer}>
        <Button icon={RefreshCw} busy={isPending || index.isRunning} reason={refusal} onClick={() => mutate()}>
          {texts.rebuild}
        </Button>
      </footer>
    </div>
  )
}

function State({ index: { status, isRunning } }: { index: IndexState }) {
  const { search: texts } = area.use()
  if (status === 'ready') return <Badge tone="success">{texts.ready}</Badge>
  if (isRunning) return <Badge tone="accent">{texts.indexing}</Badge>
  return <Badge tone="warning">{texts.incomplete}</Badge>
}

function Progress({ done, total }: Pick<IndexState, 'done' | 'total'>) {
  const { search: texts } = area.use()
  const language = useLanguage()
  return (
    <div className={css.progress}>
      <progress className={css.bar} value={done} max={Math.max(total, 1)} aria-label={texts.rebuilding} />
      <span>{texts.progress(count(done, language), count(total, language))}</span>
    </div>
  )
}
