import { dashboardApi } from '@mokuroku/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { q } from '#api/query.ts'
import { Page } from '#ui/Page.tsx'
import { CompletenessCard } from './CompletenessCard.tsx'
import css from './Dashboard.module.css'
import { RecentActivities } from './RecentActivities.tsx'
import { StatCards } from './StatCards.tsx'
import { TagUsage } from './TagUsage.tsx'
import { dashboardTexts } from './texts.ts'
import workCss from './Work.module.css'
import { WorkCard } from './WorkCard.tsx'

export function Dashboard() {
  const dashboard = dashboardTexts.use()
  const stats = useQuery(q(dashboardApi.stats))
  const work = useQuery(q(dashboardApi.work))
  return (
    <Page title={dashboard.title} subtitle={dashboard.subtitle}>
      <StatCards stats={stats} />
      <div className={workCss.cards}>
        <WorkCard work={work} />
        <CompletenessCard work={work} />
      </div>
      <div className={css.lower}>
        <TagUsage stats={stats} />
        <RecentActivities />
      </div>
    </Page>
  )
}
