import { type Settings as Kept, settingsApi } from '@mokuroku/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import * as z from 'zod/mini'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { loadSite } from '#api/site.ts'
import { isForbidden } from '#lib/errorStatus.ts'
import { useMessages } from '#i18n/messages.ts'
import { Notice } from '#parts/entityEditor/Notice.tsx'
import { HistoryLink } from '#parts/history/HistoryLink.tsx'
import { buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { SelectField } from '#ui/Field.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import { useUrlState } from '#ui/useUrlState.ts'
import { About } from './About.tsx'
import { AiSettings } from './AiSettings.tsx'
import { GeneralSettings } from './GeneralSettings.tsx'
import { JobQueue } from './JobQueue.tsx'
import { MailState } from './MailState.tsx'
import { RetentionSettings } from './RetentionSettings.tsx'
import { SearchState } from './SearchState.tsx'
import { SecuritySettings } from './SecuritySettings.tsx'
import css from './Settings.module.css'
import { StorageState } from './StorageState.tsx'
import { texts as area } from './texts.ts'

const SECTIONS = ['general', 'ai', 'search', 'storage', 'jobs', 'mail', 'security', 'retention', 'about'] as const
type Section = (typeof SECTIONS)[number]

/** Query parameters in the URL of the screen. */
const Place = z.object({ section: z._default(z.enum(SECTIONS), 'general') })

const SHOWN: Record<Section, (settings: Kept) => ReactNode> = {
  general: (settings) => <GeneralSettings settings={settings} />,
  ai: (settings) => <AiSettings settings={settings} />,
  search: () => <SearchState />,
  storage: () => <StorageState />,
  jobs: () => <JobQueue />,
  mail: ({ mail }) => <MailState mail={mail} />,
  security: (settings) => <SecuritySettings settings={settings} />,
  retention: (settings) => <RetentionSettings settings={settings} />,
  about: () => <About />,
}

/** Refetched whenever the screen opens: another administrator may have changed the settings. */
export function Settings() {
  const texts = area.use()
  const isAdmin = useMe().role === 'admin'
  const [{ section }, setPlace] = useUrlState(Place)
  const settings = useQuery({ ...q(settingsApi.find), staleTime: 0, meta: { quiet: true } })
  const version = settings.data?.version
  // The site's name is shown around this screen, and may have been changed by anyone.
  useEffect(() => {
    if (version !== undefined) void loadSite()
  }, [version])
  if (isForbidden(settings.error)) return <Refused />
  return (
    <Page
      title={texts.title}
      subtitle={texts.subtitle}
      actions={isAdmin && <HistoryLink kind="Setting" to="/settings/history" />}
    >
      <div className={css.layout}>
        <Sections here={section} onChoose={(next) => setPlace({ section: next })} />
        <div className={css.section}>
          <Loaded query={settings} loading={texts.loading} failed={texts.failed} skeleton={<SettingsSkeleton />}>
            {(found) => (
              <>
                <ReadOnly />
                {SHOWN[section](found)}
              </>
            )}
          </Loaded>
        </div>
      </div>
    </Page>
  )
}

/** A list of links on wide screens, a select field on phones. */
function Sections({ here, onChoose }: { here: Section; onChoose: (section: Section) => void }) {
  const { nav, sections } = area.use()
  return (
    <nav aria-label={nav} className={css.nav}>
      <ul className={css.links}>
        {SECTIONS.map((section) => (
          <li key={section}>
            <Link
              to="/settings"
              search={section === 'general' ? {} : { section }}
              activeOptions={{ exact: true, includeSearch: true }}
              className={css.link}
              aria-current={section === here ? 'page' : undefined}
            >
              {sections[section]}
            </Link>
          </li>
        ))}
      </ul>
      <SelectField
        className={css.choice ?? ''}
        label={nav}
        hideLabel
        value={here}
        options={SECTIONS.map((section) => ({ value: section, label: sections[section] }))}
        onChange={(section) => onChoose(section as Section)}
      />
    </nav>
  )
}

function ReadOnly() {
  const { readOnly, adminOnly } = area.use()
  if (useMe().role === 'admin') return null
  return <Notice icon={Lock} title={readOnly} hint={adminOnly} />
}

/** Users who may not read the settings can still see the About section. */
function Refused() {
  const texts = area.use()
  const { errors, notFound } = useMessages()
  return (
    <Page title={texts.title} subtitle={texts.subtitle}>
      <Card>
        <EmptyState alert icon={Lock} title={errors[403]} hint={texts.refused}>
          <Link to="/" className={buttonClass()}>
            {notFound.back}
          </Link>
        </EmptyState>
      </Card>
      <About />
    </Page>
  )
}

const SettingsSkeleton = () => (
  <div className={css.skeleton}>
    <SkeletonLines lines={5} height={44} />
  </div>
)
