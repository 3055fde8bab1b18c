import { type About as Known, settingsApi } from '@mokuroku/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { q } from '#api/query.ts'
import { joinSentences } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { longDateTime } from '#lib/dates.ts'
import { Badge } from '#ui/Badge.tsx'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Muted, Row } from '#ui/layout.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'

const BANGUMI_DATA = 'https://github.com/bangumi-data/bangumi-data'
const CC_BY = 'https://creativecommons.org/licenses/by/4.0/'

/** Version and components of the product. */
export function About() {
  const { about: texts, sections } = area.use()
  const about = useQuery(q(settingsApi.about))
  return (
    <>
      <Card title={sections.about}>
        <div className={css.form}>
          <p>{texts.what}</p>
          <Facts>
            <Fact name={texts.version}>
              {texts.product} {about.data?.version ?? ''}
            </Fact>
            <Fact name={texts.licence}>MIT</Fact>
          </Facts>
        </div>
      </Card>
      {about.isPending && (
        <Card title={texts.servers}>
          <SkeletonLines lines={1} height={80} />
        </Card>
      )}
      {about.data && about.data.instances.length > 0 && <Servers servers={about.data.instances} />}
      <Card title={texts.sample}>
        <p>
          {texts.sampleText} <Outside to={BANGUMI_DATA}>bangumi-data</Outside> {texts.sampleLicence}{' '}
          <Outside to={CC_BY}>CC BY 4.0</Outside>
          {texts.sampleChanges}
        </p>
      </Card>
      <Card title={texts.parts} count={about.data?.parts.length}>
        <Loaded query={about} loading={texts.loading} failed={texts.failed} skeleton={<SkeletonLines lines={8} />}>
          {({ parts }) => (
            <ul className={css.parts}>
              {parts.map(({ name, version, licence }) => (
                <li key={name}>
                  <span className={css.package}>
                    {name} <span className={css.version}>{version}</span>
                  </span>
                  <span className={css.licence}>{licence}</span>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
    </>
  )
}

/** The servers of this site, including the one that responded. */
function Servers({ servers }: { servers: Known['instances'] }) {
  const { about: texts } = area.use()
  const language = useLanguage()
  return (
    <Card title={texts.servers} count={servers.length}>
      <ul className={css.servers}>
        {servers.map(({ _id, host, version, schema, storage, startedAt, isThis }) => (
          <li key={_id}>
            <Row gap={2} wrap className={css.package}>
              {host}
              {isThis && <Badge>{texts.thisServer}</Badge>}
            </Row>
            <Muted as="p" small className={css.package}>
              {texts.server(version, longDateTime(startedAt, language))}
            </Muted>
            <Muted as="p" small className={css.package}>
              {joinSentences(
                texts.schema(schema),
                storage === 'folder' ? texts.inFolder : texts.inBucket(storage.replace(/^bucket /, '')),
              )}
            </Muted>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Outside = ({ to, children }: { to: string; children: string }) => (
  <a href={to} target="_blank" rel="noreferrer" className={css.outside}>
    {children}
  </a>
)
