import { ACTIVITY_TYPES, ActivityQuery, dashboardApi } from '@mokuroku/contract/dashboard'
import { useQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { qList } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyList } from '#ui/EmptyList.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { useFailure } from '#ui/useFailure.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { ActivityItems } from './ActivityItems.tsx'
import { ActivityItemsSkeleton } from './ActivityItemsSkeleton.tsx'
import { activityTexts } from './activityTexts.ts'

export function Activities() {
  const activities = activityTexts.use()
  const { notFound } = useMessages()
  const [filters, setFilters, reset, turn] = useUrlState(ActivityQuery)
  const rows = useQuery(qList(dashboardApi.activities, { query: filters }))
  const failure = useFailure(rows)
  const types = [
    { value: '', label: activities.allTypes },
    ...ACTIVITY_TYPES.map((value) => ({ value, label: activities.types[value] })),
  ]
  return (
    <Page
      title={activities.title}
      subtitle={activities.subtitle}
      back={{ to: '/', label: notFound.back }}
      actions={
        <SelectField
          label={activities.type}
          hideLabel
          options={types}
          value={filters.type ?? ''}
          onChange={(value) => setFilters({ type: ACTIVITY_TYPES.find((each) => each === value) })}
        />
      }
    >
      <Card flush>
        <LeftOut schema={ActivityQuery} />
        <Loaded query={rows} skeleton={<ActivityItemsSkeleton rows={filters.limit} />}>
          {(items) =>
            items.length > 0 ? (
              <ActivityItems groups={items.map((newest) => ({ newest, activities: [newest] }))} />
            ) : (
              <EmptyList
                icon={History}
                title={activities.empty}
                hints={{ filtered: activities.emptyHint }}
                isLate={filters.page > 1}
                isFiltered={filters.type !== undefined}
                onFirstPage={() => setFilters({ page: 1 })}
                onReset={reset}
              />
            )
          }
        </Loaded>
        {!failure && <Pager page={filters.page} hasNext={rows.data?.length === filters.limit} onPage={turn} />}
      </Card>
    </Page>
  )
}
