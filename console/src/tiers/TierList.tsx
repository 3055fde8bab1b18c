import { type Tier, tiersApi } from '@mokuroku/contract/tiers'
import { useQuery } from '@tanstack/react-query'
import { q } from '#api/query.ts'
import { AddLink } from '#parts/area/AddLink.tsx'
import type { ScreenProps } from '#parts/area/area.ts'
import { RowActions } from '#parts/area/RowActions.tsx'
import { useDeleteEntity } from '#parts/area/useDeleteEntity.tsx'
import { AREAS } from '#lib/areas.ts'
import { TrashLink } from '#parts/TrashLink.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Stack } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { useRowKeys } from '#ui/useRowKeys.ts'
import { tierTexts } from './texts.ts'
import { TierStep, TierStepSkeleton } from './TierStep.tsx'

/** The ladder: every tier, lowest required score first, so that each step shows what it adds to the one before. */
export function TierList({ area }: ScreenProps) {
  const texts = tierTexts.use()
  const tiers = useQuery(q(tiersApi.list))
  const { ask, question } = useDeleteEntity(area)
  useRowKeys()
  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <>
          <TrashLink kind="Tier" />
          <AddLink area={area} />
        </>
      }
    >
      <Loaded query={tiers} loading={texts.loading} failed={texts.failed} skeleton={<LadderSkeleton />}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <EmptyState icon={AREAS.Tier.icon} title={texts.empty} hint={texts.emptyCatalogue}>
                <AddLink area={area} />
              </EmptyState>
            </Card>
          ) : (
            <Stack as="ol" aria-label={texts.title} data-list>
              {data.map((tier) => (
                <TierStep
                  key={tier._id}
                  tier={tier}
                  below={below(data, tier)}
                  actions={<RowActions area={area} row={tier} onDelete={ask} />}
                />
              ))}
            </Stack>
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

function LadderSkeleton() {
  return (
    <Stack aria-hidden>
      {[0, 1, 2, 3].map((step) => (
        <TierStepSkeleton key={step} />
      ))}
    </Stack>
  )
}
