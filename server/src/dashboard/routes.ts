import { dashboardApi } from '@mokuroku/contract/dashboard'
import { serve } from '#http/serve.ts'
import { dashboard } from '#store/dashboard'
import { checkProgress } from '#ledger/findingStore.ts'
import { work } from './work.ts'

/** Number of activities that are grouped into the few that the dashboard shows. */
const MAX_GROUPED_ACTIVITIES = 100

export const dashboardRoutes = serve(dashboardApi, {
  stats: () => dashboard.stats(),
  work: async ({ actor }) => ({ ...(await work(actor)), progress: await checkProgress() }),
  recentActivities: () => dashboard.activities(1, MAX_GROUPED_ACTIVITIES),
  activities: ({ query }) => dashboard.activities(query.page, query.limit, query.type),
})
