import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, use, useMemo } from 'react'
import * as z from 'zod/mini'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { site } from '#lib/site.ts'
import { readUrl } from '#lib/urlQuery.ts'
import { useFieldNames } from '#parts/fieldNames.ts'
import type { Area } from '#parts/area/area.ts'
import { type AreaOf, AreaOfContext } from '#parts/area/areaOf.ts'
import { LeftOut } from '#parts/filters/LeftOut.tsx'
import { languageName } from '#parts/titles.ts'
import { useLanguages } from '#parts/useLanguages.ts'
import { buttonClass } from '#ui/Button.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Row } from '#ui/layout.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { DeskScreen } from './DeskScreen.tsx'
import { DeskQuery, filterIn, taskOf } from './target.ts'
import { workTexts } from './texts.ts'

const Matrix = lazyPart(() => import('./Matrix.tsx'), 'Matrix')

/** The entities of a filtered list, one by one at the desk, or as a matrix. All parameters are in the URL. */
export function Work({ areaOf }: { areaOf: AreaOf }) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const query = useMemo(() => readUrl(DeskQuery, search), [search])
  return (
    <AreaOfContext value={areaOf}>
      <Suspense fallback={<Pending />}>
        <Opened loaded={areaOf(query.entityType)} query={query} search={search} />
      </Suspense>
    </AreaOfContext>
  )
}

function Pending() {
  return (
    <Page title={workTexts.use().title}>
      <Skeleton height={400} />
    </Page>
  )
}

interface OpenedProps {
  loaded: Promise<Area>
  query: DeskQuery
  search: Record<string, unknown>
}

function Opened({ loaded, query, search }: OpenedProps) {
  const area = use(loaded)
  const texts = workTexts.use()
  const { languages: wanted } = site.use()
  const { list } = area
  const filter = useMemo(() => ('Screen' in list ? {} : filterIn(list.query, search)), [list, search])
  const task = useMemo(() => taskOf(query, filter.finding ?? '', wanted), [query, filter, wanted])
  const isMatrix = query.view === 'matrix'
  const navigate = useNavigate()
  const go = (change: (now: DeskQuery) => Partial<DeskQuery>) =>
    void navigate({
      to: '.',
      search: (now: Record<string, unknown>) => ({ ...now, ...change(readUrl(DeskQuery, now)) }),
      replace: true,
      resetScroll: false,
    })
  const { path } = AREAS[area.kind]
  return (
    <Page
      title={texts.title}
      back={{ to: path, label: texts.back, search: filter }}
      actions={
        <>
          {(isMatrix || task.fill === 'text') && <Target task={task} onChange={(change) => go(() => change)} />}
          <Views search={search} view={query.view} />
        </>
      }
    >
      {'query' in list && <LeftOut schema={z.extend(list.query, DeskQuery.shape)} />}
      {isMatrix ? (
        <Suspense fallback={<Skeleton height={400} />}>
          <Matrix
            key={JSON.stringify([task, filter])}
            {...{ area, task, filter }}
            page={query.page}
            onPage={(to) => go(({ page }) => ({ page: to(page) }))}
          />
        </Suspense>
      ) : (
        <DeskScreen key={JSON.stringify([task, filter])} area={area} task={task} filter={filter} />
      )}
    </Page>
  )
}

/** Switches between the desk and the matrix. */
function Views({ search, view: shown }: { search: Record<string, unknown>; view: DeskQuery['view'] }) {
  const texts = workTexts.use()
  return (
    <Row as="nav" aria-label={texts.view} gap={1}>
      {(['desk', 'matrix'] as const).map((view) => (
        <Link
          key={view}
          to="/work"
          search={{ ...search, page: undefined, view: view === 'desk' ? undefined : view }}
          activeOptions={{ exact: true }}
          aria-current={shown === view ? 'page' : undefined}
          className={buttonClass({ variant: shown === view ? 'default' : 'quiet' })}
        >
          {texts.views[view]}
        </Link>
      ))}
    </Row>
  )
}

interface TargetProps {
  task: ReturnType<typeof taskOf>
  onChange: (change: Partial<DeskQuery>) => void
}

/** Chooses the language and field to work on. */
function Target({ task: { kind, language, field, fields }, onChange }: TargetProps) {
  const texts = workTexts.use()
  const nameOf = useFieldNames(kind)
  const locale = useLanguage()
  const known = useLanguages()
  const { languages: wanted } = site.use()
  const tags = [...new Set([...(language ? [language] : []), ...wanted, ...known])]
  return (
    <>
      <SelectField
        label={texts.language}
        hideLabel
        value={language ?? ''}
        options={[
          ...(language ? [] : [{ value: '', label: texts.language }]),
          ...tags.map((tag) => ({ value: tag, label: languageName(tag, locale) })),
        ]}
        onChange={(target) => onChange({ target: target || undefined })}
      />
      <SelectField
        label={texts.field}
        hideLabel
        value={field}
        options={fields.map((each) => ({ value: each, label: nameOf(each) }))}
        onChange={(chosen) => onChange({ field: chosen })}
      />
    </>
  )
}
