import { CharacterInput, charactersApi, newCharacter } from '@mokuroku/contract/characters'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { withSiteLanguages } from '#lib/site.ts'
import { useBackTo } from '#parts/DetailFrame.tsx'
import { EditorScreen } from '#parts/entityEditor/EditorScreen.tsx'
import { useRefusal } from '#parts/refusal.ts'
import { CHARACTER_LINKS, characterNames } from './characterNames.ts'

export function CharacterNew() {
  const { detail, editor: texts } = useMessages().characters
  const language = useLanguage()
  const navigate = useNavigate()
  const refused = useRefusal()
  const [names] = useState(() => characterNames(undefined, language))
  return (
    <EditorScreen
      title={texts.new}
      back={useBackTo('/characters', detail.back)}
      entity="characters/new"
      schema={CharacterInput}
      start={withSiteLanguages(newCharacter())}
      links={CHARACTER_LINKS}
      names={names}
      refusal={refused('create', 'Character')}
      saved={texts.created}
      failed={texts.createFailed}
      save={(body, _, runs) => call(charactersApi.create, { body: body as CharacterInput, runs })}
      onSaved={({ _id }) => navigate({ to: '/characters/$id', params: { id: _id } })}
    />
  )
}
