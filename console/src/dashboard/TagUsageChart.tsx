import type { Stats } from '@mokuroku/contract/dashboard'
import { Tags } from 'lucide-react'
import { useLanguage } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import { humanize } from '#lib/text.ts'
import { tagTypes } from '#parts/tagTypes.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LineChart } from '#ui/LineChart.tsx'
import { chartTexts } from './chartTexts.ts'
import css from './TagUsageChart.module.css'
import { dashboardTexts } from './texts.ts'

/** The name of a category: in English with spaces for underscores; in other languages its translation. */
function useCategoryName() {
  const names: Record<string, string> = tagTypes.use()
  const language = useLanguage()
  return (category: string) => (language === 'en' ? undefined : names[category]) ?? humanize(category)
}

interface Props {
  usage: [string, Stats['tagUsage'][string]][]
  /** Shows a table instead of the chart. Otherwise, the table is visible to screen readers only. */
  asTable: boolean
}

export function TagUsageChart({ usage, asTable }: Props) {
  const dashboard = dashboardTexts.use()
  const texts = chartTexts.use()
  const language = useLanguage()
  const nameOf = useCategoryName()
  if (usage.every(([, each]) => each.count === 0)) return <EmptyState icon={Tags} title={texts.empty} />
  return (
    <>
      {!asTable && (
        <LineChart
          title={dashboard.chart}
          labels={usage.map(([name]) => nameOf(name))}
          series={[
            { name: texts.tagsCount, values: usage.map(([, each]) => each.count) },
            { name: texts.totalUsage, values: usage.map(([, each]) => each.totalUsage) },
          ]}
          locale={language}
          keys={texts.keys}
          ownScale={texts.ownScale}
        />
      )}
      <div className={asTable ? undefined : 'sr-only'}>
        <table className={css.table}>
          <caption className="sr-only">{dashboard.chart}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.category}</th>
              <th scope="col">{texts.tagsCount}</th>
              <th scope="col">{texts.totalUsage}</th>
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
