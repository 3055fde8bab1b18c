import { dashboardApi } from '@mokuroku/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { q } from '#api/query.ts'
import { Page } from '#ui/Page.tsx'
import css from './Dashboard.module.css'
import { RecentActivities } from './RecentActivities.tsx'
import { StatCards } from './StatCards.tsx'
import { TagUsage } from './TagUsage.tsx'
import { dashboardTexts } from './texts.ts'

export function Dashboard() {
  const dashboard = dashboardTexts.use()
  const stats = useQuery(q(dashboardApi.stats))
  return (
    <Page title={dashboard.title} subtitle={dashboard.subtitle}>
      <StatCards stats={stats} />
      <div className={css.lower}>
        <TagUsage stats={stats} />
        <RecentActivities />
      </div>
    </Page>
  )
}
