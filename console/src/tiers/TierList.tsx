import { type Tier, tiersApi } from '@mokuroku/contract/tiers'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import * as z from 'zod/mini'
import { q } from '#api/query.ts'
import { AddLink } from '#parts/area/AddLink.tsx'
import type { ScreenProps } from '#parts/area/area.ts'
import { RowActions } from '#parts/area/RowActions.tsx'
import { useDeleteEntity } from '#parts/area/useDeleteEntity.tsx'
import { AREAS } from '#lib/areas.ts'
import { TrashLink } from '#parts/TrashLink.tsx'
import { buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Row, Stack } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { useRowKeys } from '#ui/useRowKeys.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { tierTexts } from './texts.ts'
import { TierStep, TierStepSkeleton } from './TierStep.tsx'

const TierMatrix = lazyPart(() => import('./TierMatrix.tsx'), 'TierMatrix')

const ListState = z.object({ view: z._default(z.enum(['ladder', 'matrix']), 'ladder') })
type View = z.output<typeof ListState>['view']

/** The ladder: all tiers, lowest required score first; each step shows what it adds to the one below. */
export function TierList({ area }: ScreenProps) {
  const texts = tierTexts.use()
  const tiers = useQuery(q(tiersApi.list))
  const { ask, question } = useDeleteEntity(area)
  const [{ view }] = useUrlState(ListState)
  useRowKeys()
  return (
    <Page
      title={texts.title}
      view={view === 'ladder' ? undefined : texts.views[view]}
      subtitle={texts.subtitle}
      actions={
        <>
          <Views view={view} />
          <TrashLink kind="Tier" />
          <AddLink area={area} />
        </>
      }
    >
      <Loaded query={tiers} loading={texts.loading} failed={texts.failed} skeleton={<ListSkeleton view={view} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <EmptyState icon={AREAS.Tier.icon} title={texts.empty} hint={texts.emptyCatalogue}>
                <AddLink isLabelled area={area} />
              </EmptyState>
            </Card>
          ) : (
            <Shown view={view} tiers={data}>
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
            </Shown>
          )
        }
      </Loaded>
      {question}
    </Page>
  )
}

/** The next lower active tier. */
const below = (tiers: readonly Tier[], { requiredScore }: Tier) =>
  tiers.findLast((each) => each.isActive && each.requiredScore < requiredScore)

interface ShownProps {
  view: View
  tiers: readonly Tier[]
  /** The ladder. */
  children: ReactNode
}

/** The ladder, or the matrix of permissions by tier. */
function Shown({ view, tiers, children }: ShownProps) {
  if (view === 'ladder') return children
  return (
    <Suspense fallback={<ListSkeleton view={view} />}>
      <TierMatrix tiers={tiers} />
    </Suspense>
  )
}

function Views({ view: shown }: { view: View }) {
  const texts = tierTexts.use()
  return (
    <Row as="nav" aria-label={texts.view} gap={1} align="stretch">
      {(['ladder', 'matrix'] as const).map((view) => (
        <Link
          key={view}
          to={AREAS.Tier.path}
          search={view === 'ladder' ? {} : { view }}
          activeOptions={{ exact: true }}
          aria-current={shown === view ? 'page' : undefined}
          className={buttonClass({ variant: shown === view ? 'default' : 'quiet' })}
        >
          {texts.views[view]}
        </Link>
      ))}
    </Row>
  )
}

function ListSkeleton({ view }: { view: View }) {
  if (view === 'matrix') return <Skeleton height={480} />
  return (
    <Stack aria-hidden>
      {[0, 1, 2, 3].map((step) => (
        <TierStepSkeleton key={step} />
      ))}
    </Stack>
  )
}
