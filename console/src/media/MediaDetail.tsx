import { type Media, mediaApi } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { SquarePen, Trash2 } from 'lucide-react'
import { q } from '#api/query.ts'
import { useMessages } from '#i18n/messages.ts'
import { DetailFrame, useBackTo } from '#parts/DetailFrame.tsx'
import { useDeleteMedia } from '#parts/deleteMedia.tsx'
import { WithHistory } from '#parts/history/WithHistory.tsx'
import { MediaCard } from '#parts/MediaCard.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { useTitleOf } from '#parts/titles.ts'
import { Button, buttonClass } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Page } from '#ui/Page.tsx'
import css from './MediaDetail.module.css'
import { MediaDetailAssets } from './MediaDetailAssets.tsx'
import { MediaDetailCharacters } from './MediaDetailCharacters.tsx'
import { MediaDetailFacts } from './MediaDetailFacts.tsx'
import { MediaDetailHero, MediaDetailSkeleton } from './MediaDetailHero.tsx'
import { MediaDetailRatings } from './MediaDetailRatings.tsx'

export function MediaDetail() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const media = useQuery({ ...q(mediaApi.find, { id }), meta: { quiet: true } })
  return (
    <DetailFrame query={media} back={useBack()} texts={useMessages().mediaDetail} pending={<Pending />}>
      {(found) => <Found media={found} />}
    </DetailFrame>
  )
}

function Pending() {
  const { mediaDetail: texts } = useMessages()
  return (
    <Page title={texts.details} back={useBack()} hero={<MediaDetailSkeleton />}>
      <p role="status" className="sr-only">
        {texts.loading}
      </p>
    </Page>
  )
}

function Found({ media }: { media: Media }) {
  const { mediaDetail: texts } = useMessages()
  const title = useTitleOf()(media)
  const back = useBack()
  const navigate = useNavigate()
  const refusal = useRefusal()('edit', 'Media', media.createdBy)
  const { ask, question } = useDeleteMedia(() => navigate({ to: back.to, search: back.search }))
  return (
    <Page
      title={title.text}
      back={back}
      actions={<Actions media={media} onDelete={() => ask(media)} />}
      hero={<MediaDetailHero media={media} />}
    >
      <WithHistory kind="Media" id={media._id} refusal={refusal}>
        <div className={css.columns}>
          <div className={css.column}>
            <MediaDetailFacts media={media} />
            <MediaDetailCharacters media={media} />
            <MediaDetailAssets id={media._id} />
          </div>
          <div className={css.column}>
            <MediaDetailRatings media={media} />
            {media.relatedMedia.length > 0 && (
              <Card title={texts.related} count={media.relatedMedia.length}>
                <div className={css.related}>
                  {media.relatedMedia.map((related) => (
                    <MediaCard key={related._id} media={related} />
                  ))}
                </div>
              </Card>
            )}
          </div>
        </div>
      </WithHistory>
      {question}
    </Page>
  )
}

function Actions({ media, onDelete }: { media: Media; onDelete: () => void }) {
  const { common } = useMessages()
  const refusal = useRefusal()
  const noEdit = refusal('edit', 'Media', media.createdBy)
  return (
    <>
      <Button icon={Trash2} reason={refusal('delete', 'Media', media.createdBy)} onClick={onDelete}>
        {common.delete}
      </Button>
      {noEdit ? (
        <Button variant="primary" icon={SquarePen} reason={noEdit}>
          {common.edit}
        </Button>
      ) : (
        <Link to={`/media/${media._id}/edit`} className={buttonClass({ variant: 'primary' })}>
          <SquarePen size={16} aria-hidden />
          {common.edit}
        </Link>
      )}
    </>
  )
}

function useBack() {
  const { mediaDetail: texts } = useMessages()
  return useBackTo('/media', texts.back)
}
