import { page as pageOf } from '@mokuroku/contract/common'
import { historyApi, HistoryQuery, type HistoryEntry } from '@mokuroku/contract/history'
import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { useQuery } from '@tanstack/react-query'
import { Captions, ListRestart } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { qList } from '#api/query.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { languageName } from '#parts/titles.ts'
import { useLanguages } from '#parts/useLanguages.ts'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyList } from '#ui/EmptyList.tsx'
import { Filters } from '#ui/Filters.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { useRowKeys } from '#ui/useRowKeys.ts'
import { useFailure } from '#ui/useFailure.ts'
import { useUrlState } from '#ui/useUrlState.ts'
import { BatchPanel } from './BatchPanel.tsx'
import { Entries, EntriesSkeleton } from './Entries.tsx'
import { HistoryStatistics } from './HistoryStatistics.tsx'
import { RollbackPanel } from './RollbackPanel.tsx'
import { translationTexts } from './texts.ts'

const LIMIT = 20

/** Query parameters in the URL; the API itself uses offsets. */
const ListQuery = z.object({
  page: pageOf(LIMIT).page,
  language: HistoryQuery.shape.language,
  entityType: HistoryQuery.shape.entityType,
})

/** The panel that is open. */
type Panel = { entry: HistoryEntry } | { batch: string } | 'several'

export function TranslationHistory() {
  const texts = translationTexts.use()
  const [{ page, language, entityType }, setState, reset, turn] = useUrlState(ListQuery)
  const found = useQuery({
    ...qList(historyApi.recent, { query: { limit: LIMIT, skip: (page - 1) * LIMIT, language, entityType } }),
    // Every save adds to it.
    staleTime: 0,
    meta: { quiet: true },
  })
  const failure = useFailure(found)
  const [panel, open] = useState<Panel>()
  useRowKeys()
  const close = () => open(undefined)
  const entries = found.data?.data ?? []

  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={
        <Button icon={ListRestart} onClick={() => open('several')}>
          {texts.several}
        </Button>
      }
    >
      <HistoryStatistics />
      <Card flush>
        <HistoryFilters {...{ language, entityType }} onApply={setState} onReset={reset} />
        <LeftOut schema={ListQuery} />
        <Loaded
          query={found}
          loading={texts.loading}
          failed={texts.failed}
          skeleton={<EntriesSkeleton entries={LIMIT} />}
        >
          {({ data }) =>
            data.length > 0 ? (
              <Entries entries={data} onRollback={(entry) => open({ entry })} onBatch={(batch) => open({ batch })} />
            ) : (
              <EmptyList
                icon={Captions}
                title={texts.empty}
                hints={{ filtered: texts.emptyFiltered, empty: texts.emptyHint }}
                isLate={page > 1}
                isFiltered={Boolean(language ?? entityType)}
                onFirstPage={() => setState({ page: 1 })}
                onReset={reset}
              />
            )
          }
        </Loaded>
        {!failure && <Pager page={page} hasNext={entries.length === LIMIT} onPage={turn} />}
      </Card>
      {panel === 'several' && <BatchPanel seen={entries} onClose={close} />}
      {typeof panel === 'object' && 'batch' in panel && (
        <BatchPanel batch={panel.batch} seen={entries} onClose={close} />
      )}
      {typeof panel === 'object' && 'entry' in panel && <RollbackPanel entry={panel.entry} onClose={close} />}
    </Page>
  )
}

interface FiltersProps {
  language: string | undefined
  entityType: HistoryEntry['entityType'] | undefined
  onApply: (filters: { language?: string | undefined; entityType?: HistoryEntry['entityType'] | undefined }) => void
  onReset: () => void
}

function HistoryFilters({ language, entityType, onApply, onReset }: FiltersProps) {
  const texts = translationTexts.use()
  const locale = useLanguage()
  const known = useLanguages()
  const { kinds } = useMessages()
  // The URL may contain another language.
  const languages = language && !known.includes(language) ? [...known, language] : known
  return (
    <Filters
      label={texts.filters}
      fields={{
        language: {
          label: texts.language,
          all: texts.allLanguages,
          options: languages.map((value) => ({ value, label: languageName(value, locale) })),
        },
        entityType: {
          label: texts.type,
          all: texts.allTypes,
          options: TRANSLATED_KINDS.map((value) => ({ value, label: kinds[value].name })),
        },
      }}
      applied={{ language, entityType }}
      onApply={onApply}
      onReset={onReset}
    />
  )
}
