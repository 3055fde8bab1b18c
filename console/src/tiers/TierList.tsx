import { type Tier, tiersApi } from '@mokuroku/contract/tiers'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Gauge, Plus } from 'lucide-react'
import { q } from '#api/query.ts'
import { TrashLink } from '#parts/TrashLink.tsx'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { useRowKeys } from '#ui/useRowKeys.ts'
import { useDeleteTier } from './deleteTier.tsx'
import { useTierRefusal } from './rights.ts'
import { texts as area } from './texts.ts'
import css from './TierList.module.css'
import { TierStep, TierStepSkeleton } from './TierStep.tsx'

/** The ladder: every tier, lowest required score first, so that each step shows what it adds to the one before. */
export function TierList() {
  const texts = area.use()
  const tiers = useQuery(q(tiersApi.list))
  const { ask, question } = useDeleteTier()
  useRowKeys()
  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <TrashLink kind="Tier" />
          <AddTier />
        </>
      }
    >
      <Loaded query={tiers} loading={texts.loading} failed={texts.listFailed} skeleton={<Bones />}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <EmptyState icon={Gauge} title={texts.empty} hint={texts.emptyHint}>
                <AddTier />
              </EmptyState>
            </Card>
          ) : (
            <ol className={css.ladder} aria-label={texts.title} data-list>
              {data.map((tier) => (
                <TierStep key={tier._id} tier={tier} below={below(data, tier)} onDelete={ask} />
              ))}
            </ol>
          )
        }
      </Loaded>
      {question}
    </Page>
  )
}

/** The active tier that somebody comes from who reaches this one. */
const below = (tiers: readonly Tier[], { requiredScore }: Tier) =>
  tiers.findLast((each) => each.isActive && each.requiredScore < requiredScore)

function AddTier() {
  const texts = area.use()
  const reason = useTierRefusal()
  if (reason) {
    return (
      <Button variant="primary" icon={Plus} reason={reason}>
        {texts.add}
      </Button>
    )
  }
  return (
    <Link to="/score-permissions/new" className={buttonClass({ variant: 'primary' })}>
      <Plus size={16} aria-hidden />
      {texts.add}
    </Link>
  )
}

function Bones() {
  return (
    <div className={css.ladder} aria-hidden>
      {[0, 1, 2, 3].map((bone) => (
        <TierStepSkeleton key={bone} />
      ))}
    </div>
  )
}
