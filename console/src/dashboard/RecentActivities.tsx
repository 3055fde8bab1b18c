import { dashboardApi } from '@mokuroku/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import { Suspense } from 'react'
import { q } from '#api/query.ts'
import { buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { ActivityItemsSkeleton } from './ActivityItemsSkeleton.tsx'
import { dashboardTexts } from './texts.ts'

const load = () => import('./ActivityItems.tsx')
// Loads the code while the data is being fetched; if loading fails now, it is retried when the component is shown.
void load().catch(() => undefined)
const GroupedActivities = lazyPart(load, 'GroupedActivities')
const SHOWN = 5

export function RecentActivities() {
  const dashboard = dashboardTexts.use()
  const recent = useQuery(q(dashboardApi.recentActivities))
  return (
    <Card
      flush
      title={dashboard.activities}
      action={
        <Link to="/activities" className={buttonClass({ size: 'small', variant: 'quiet' })}>
          {dashboard.viewAll}
        </Link>
      }
    >
      <Loaded
        query={recent}
        loading={dashboard.activitiesLoading}
        showLoading
        skeleton={<ActivityItemsSkeleton rows={SHOWN} />}
      >
        {(activities) =>
          activities.length > 0 ? (
            <Suspense fallback={<ActivityItemsSkeleton rows={SHOWN} />}>
              <GroupedActivities activities={activities} shown={SHOWN} />
            </Suspense>
          ) : (
            <EmptyState icon={History} title={dashboard.activitiesEmpty} />
          )
        }
      </Loaded>
    </Card>
  )
}
