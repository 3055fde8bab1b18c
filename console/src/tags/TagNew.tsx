import { TagInput, tagsApi, newTag } from '@mokuroku/contract/tags'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { withSiteLanguages } from '#lib/site.ts'
import { EditorScreen } from '#parts/entityEditor/EditorScreen.tsx'
import { useBackTo } from '#parts/DetailFrame.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { parentNames, TAG_LINKS } from './tagNames.ts'

export function TagNew() {
  const { back: backTo, editor: texts } = useMessages().tags
  const language = useLanguage()
  const back = useBackTo('/tags', backTo)
  const navigate = useNavigate()
  const refused = useRefusal()
  const [names] = useState(() => parentNames(language))
  return (
    <EditorScreen
      title={texts.new}
      back={back}
      entity="tags/new"
      schema={TagInput}
      start={withSiteLanguages(newTag())}
      links={TAG_LINKS}
      names={names}
      refusal={refused('create', 'Tag')}
      saved={texts.created}
      failed={texts.createFailed}
      save={(body, _, runs) => call(tagsApi.create, { body: body as TagInput, runs })}
      onSaved={() => navigate({ to: back.to, search: back.search })}
    />
  )
}
