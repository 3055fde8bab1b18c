import { settingsApi, type StorageState as State } from '@mokuroku/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { q } from '#api/query.ts'
import { joinSentences } from '#i18n/errors.ts'
import { useLanguage } from '#i18n/messages.ts'
import { count, fileSize } from '#lib/sizes.ts'
import { Card } from '#ui/Card.tsx'
import { Fact, Facts } from '#ui/Facts.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import css from './Settings.module.css'
import { texts as area } from './texts.ts'

export function StorageState() {
  const { sections, storage: texts } = area.use()
  const state = useQuery({ ...q(settingsApi.storage), staleTime: 0 })
  return (
    <Card title={sections.storage}>
      <Loaded query={state} loading={texts.loading} failed={texts.failed} skeleton={<SkeletonLines lines={3} />}>
        {(found) => <Files {...found} />}
      </Loaded>
    </Card>
  )
}

function Files({ kind, place, size, images, videos, audio, unused }: State) {
  const { storage: texts } = area.use()
  const language = useLanguage()
  return (
    <div className={css.form}>
      <Facts>
        <Fact name={texts.place}>{kind === 'bucket' ? texts.bucket(place) : texts.folder}</Fact>
        <Fact name={texts.images}>{count(images, language)}</Fact>
        <Fact name={texts.videos}>{count(videos, language)}</Fact>
        <Fact name={texts.audio}>{count(audio, language)}</Fact>
        <Fact name={texts.size}>{fileSize(size)}</Fact>
        <Fact name={texts.unused}>
          <Link to="/assets" search={{ unused: 'true' }}>
            {texts.files(count(unused.count, language), fileSize(unused.size))}
          </Link>
        </Fact>
      </Facts>
      <p className={css.hint}>{joinSentences(texts.sizeHint, texts.unusedHint)}</p>
    </div>
  )
}
