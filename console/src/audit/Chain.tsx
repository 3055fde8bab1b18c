import { auditApi, type ChainState } from '@mokuroku/contract/audit'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { call } from '#api/call.ts'
import { q } from '#api/query.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { count } from '#lib/sizes.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'
import { Muted } from '#ui/layout.tsx'
import css from './Audit.module.css'
import { texts as area } from './texts.ts'

/** Whether the log is unaltered, according to the last verification. */
export function Chain() {
  const { chain: texts } = area.use()
  const state = useQuery({ ...q(auditApi.state), staleTime: 0, meta: { quiet: true } })
  return (
    <Card>
      <Loaded query={state} loading={texts.loading} failed={texts.failed} skeleton={<ChainSkeleton />}>
        {(chain) => <State chain={chain} />}
      </Loaded>
    </Card>
  )
}

const ChainSkeleton = () => (
  <div className={css.chain}>
    <Skeleton width={36} height={36} round />
    <span className={css.skeleton}>
      <Skeleton width={180} height={21} />
      <Skeleton width={320} />
      <Skeleton width={200} />
    </span>
    <span className={css.verify}>
      <Skeleton height={40} />
    </span>
  </div>
)

function State({ chain: { entries, deletedSeq, hash, checked } }: { chain: ChainState }) {
  const { chain: texts } = area.use()
  const language = useLanguage()
  const verify = useVerify()
  const broken = checked?.broken
  const tone = broken ? 'broken' : checked ? 'whole' : 'unchecked'
  const Icon = { broken: ShieldAlert, whole: ShieldCheck, unchecked: ShieldQuestionMark }[tone]
  const number = (value: number) => count(value, language)
  return (
    <section className={css.chain} aria-label={texts.name}>
      <span className={css.shield} data-tone={tone}>
        <Icon size={20} strokeWidth={1.75} aria-hidden />
      </span>
      <div className={css.state}>
        <p role="status" className={css.verdict}>
          {texts[tone]}
        </p>
        {broken && <p className={css.fault}>{texts.faults[broken.code](number(broken.seq))}</p>}
        <Muted as="p" small>
          {checked
            ? texts.checked(number(checked.entries), longDateTime(checked.at, language), checked.by)
            : texts.count(number(entries))}
        </Muted>
        {deletedSeq > 0 && (
          <Muted as="p" small>
            {texts.since(number(deletedSeq + 1))}
          </Muted>
        )}
        <details className={css.seal}>
          <summary>{texts.hash}</summary>
          <code className={css.code}>{hash}</code>
          <Muted as="p" small>
            {texts.hint}
          </Muted>
        </details>
      </div>
      <Button icon={ShieldCheck} busy={verify.isPending} onClick={() => verify.mutate()}>
        {verify.isPending ? texts.verifying : texts.verify}
      </Button>
    </section>
  )
}

function useVerify() {
  const { chain: texts } = area.use()
  const language = useLanguage()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(auditApi.verify),
    meta: { failure: texts.verifyFailed },
    onSuccess: (chain) => {
      client.setQueryData(q(auditApi.state).queryKey, chain)
      const { checked } = chain
      if (checked && !checked.broken) toast.success(texts.verified(count(checked.entries, language)))
    },
  })
}
