import { type Media, mediaApi, MediaInput } from '@mokuroku/contract/media'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { isNotFound } from '#api/errors.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { EditorScreen, EditorSkeleton } from '#parts/entityEditor/EditorScreen.tsx'
import { useBackTo } from '#parts/DetailFrame.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { buttonClass } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { Failed } from '#ui/Loaded.tsx'
import { Page } from '#ui/Page.tsx'
import { MEDIA_LINKS, mediaNames } from './mediaNames.ts'

export function MediaEdit() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const texts = useMessages().editor.media
  // Always asked anew, and never again while it is being edited: the version is what the change is begun from.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['edit', mediaApi.find.path, id],
    queryFn: ({ signal }) => call(mediaApi.find, { id, signal }),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  })
  const back = useBackTo('/media', texts.back)
  if (data) return <Editor key={id} media={data} />
  if (!error) return <EditorSkeleton title={texts.edit} back={back} />
  return (
    <Page title={texts.edit} back={back}>
      {isNotFound(error) ? (
        <EmptyState title={texts.notFound} hint={texts.notFoundHint}>
          <Link to={back.to} search={back.search} className={buttonClass({ variant: 'primary' })}>
            {texts.back}
          </Link>
        </EmptyState>
      ) : (
        <Failed what={texts.loadFailed} busy={isFetching} retry={refetch} />
      )}
    </Page>
  )
}

function Editor({ media }: { media: Media }) {
  const texts = useMessages().editor.media
  const language = useLanguage()
  const back = useBackTo('/media', texts.back)
  const navigate = useNavigate()
  const refused = useRefusal()
  const [names] = useState(() => mediaNames(media, language))
  return (
    <EditorScreen
      title={texts.edit}
      back={back}
      entity={`media/${media._id}`}
      schema={MediaInput}
      start={media}
      version={media.version}
      links={MEDIA_LINKS}
      names={names}
      refusal={refused('edit', 'Media', media.createdBy)}
      saved={texts.updated}
      failed={texts.updateFailed}
      save={(body, base, runs) =>
        call(mediaApi.update, { id: media._id, body: body as MediaInput, runs, ...(base !== undefined && { base }) })
      }
      onSaved={() => navigate({ to: back.to, search: back.search })}
    />
  )
}
