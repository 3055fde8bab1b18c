import { dashboardApi } from '@mokuroku/contract/dashboard'
import { serve } from '#http/serve.ts'
import { dashboard } from '#store/dashboard'

export const dashboardRoutes = serve(dashboardApi, {
  stats: () => dashboard.stats(),
  recentActivities: () => dashboard.activities(1, 20),
  activities: ({ query }) => dashboard.activities(query.page, query.limit, query.type),
})
