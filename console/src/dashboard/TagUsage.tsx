import type { Stats } from '@mokuroku/contract/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { ChartLine, Table2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { dashboardTexts } from './texts.ts'

const load = () => import('./TagUsageChart.tsx')
// Loads the code while the data is being fetched; if loading fails now, it is retried when the component is shown.
void load().catch(() => undefined)
const TagUsageChart = lazyPart(load, 'TagUsageChart')
const HEIGHT = 352

export function TagUsage({ stats }: { stats: UseQueryResult<Stats> }) {
  const dashboard = dashboardTexts.use()
  const [asTable, setAsTable] = useState(false)
  return (
    <Card
      title={dashboard.chart}
      action={
        stats.data && (
          <Button size="small" variant="quiet" icon={asTable ? ChartLine : Table2} onClick={() => setAsTable(!asTable)}>
            {asTable ? dashboard.showChart : dashboard.showTable}
          </Button>
        )
      }
    >
      <Loaded query={stats} loading={dashboard.chartLoading} showLoading skeleton={<Skeleton height={HEIGHT} />}>
        {({ tagUsage }) => (
          <Suspense fallback={<Skeleton height={HEIGHT} />}>
            <TagUsageChart usage={Object.entries(tagUsage)} asTable={asTable} />
          </Suspense>
        )}
      </Loaded>
    </Card>
  )
}
