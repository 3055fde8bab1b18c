import { mediaApi, MediaInput, newMedia } from '@mokuroku/contract/media'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { withSiteLanguages } from '#lib/site.ts'
import { useBackTo } from '#parts/DetailFrame.tsx'
import { EditorScreen } from '#parts/entityEditor/EditorScreen.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { MEDIA_LINKS, mediaNames } from './mediaNames.ts'

export function MediaNew() {
  const texts = useMessages().editor.media
  const language = useLanguage()
  const navigate = useNavigate()
  const refused = useRefusal()
  const [start] = useState(() => withSiteLanguages({ ...newMedia(new Date().toISOString()), relatedMedia: [] }))
  const [names] = useState(() => mediaNames(undefined, language))
  return (
    <EditorScreen
      title={texts.new}
      back={useBackTo('/media', texts.back)}
      entity="media/new"
      schema={MediaInput}
      start={start}
      links={MEDIA_LINKS}
      names={names}
      refusal={refused('create', 'Media')}
      saved={texts.saved}
      failed={texts.createFailed}
      save={(body, _, runs) => call(mediaApi.create, { body: body as MediaInput, runs })}
      onSaved={({ _id }) => navigate({ to: '/media/$id', params: { id: _id } })}
    />
  )
}
