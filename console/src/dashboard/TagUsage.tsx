import type { Stats } from '@mokuroku/contract/dashboard'
import type { UseQueryResult } from '@tanstack/react-query'
import { ChartLine, Table2, Tags } from 'lucide-react'
import { useState } from 'react'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { humanize } from '#lib/text.ts'
import { tagTypes } from '#parts/tagTypes.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LineChart } from '#ui/LineChart.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import css from './TagUsage.module.css'
import { dashboardTexts } from './texts.ts'

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
      <Loaded query={stats} loading={dashboard.chartLoading} showLoading skeleton={<Skeleton height={352} />}>
        {({ tagUsage }) => <Usage usage={Object.entries(tagUsage)} asTable={asTable} />}
      </Loaded>
    </Card>
  )
}

/** The category in English, underscores as spaces; in other languages its name there. */
function useCategoryName() {
  const names: Record<string, string> = tagTypes.use()
  const language = useLanguage()
  return (category: string) => (language === 'en' ? undefined : names[category]) ?? humanize(category)
}

type Entries = [string, Stats['tagUsage'][string]][]

function Usage({ usage, asTable }: { usage: Entries; asTable: boolean }) {
  const dashboard = dashboardTexts.use()
  const language = useLanguage()
  const nameOf = useCategoryName()
  if (usage.every(([, each]) => each.count === 0)) return <EmptyState icon={Tags} title={dashboard.chartEmpty} />
  return (
    <>
      {!asTable && (
        <LineChart
          title={dashboard.chart}
          labels={usage.map(([name]) => nameOf(name))}
          series={[
            { name: dashboard.tagsCount, values: usage.map(([, each]) => each.count) },
            { name: dashboard.totalUsage, values: usage.map(([, each]) => each.totalUsage) },
          ]}
          locale={language}
          keys={dashboard.chartKeys}
          ownScale={dashboard.ownScale}
        />
      )}
      <div className={asTable ? undefined : 'sr-only'}>
        <table className={css.table}>
          <caption className="sr-only">{dashboard.chart}</caption>
          <thead>
            <tr>
              <th scope="col">{dashboard.category}</th>
              <th scope="col">{dashboard.tagsCount}</th>
              <th scope="col">{dashboard.totalUsage}</th>
            </tr>
          </thead>
          <tbody>
            {usage.map(([name, each]) => (
              <tr key={name}>
                <th scope="row">{nameOf(name)}</th>
                <td>{count(each.count, language)}</td>
                <td>{count(each.totalUsage, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
