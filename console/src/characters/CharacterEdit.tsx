import { type Character, CharacterInput, charactersApi } from '@mokuroku/contract/characters'
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
import { CHARACTER_LINKS, characterNames } from './characterNames.ts'

export function CharacterEdit() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { detail, editor: texts } = useMessages().characters
  // Always asked anew, and never again while it is being edited: the version is what the change is begun from.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['edit', charactersApi.find.path, id],
    queryFn: ({ signal }) => call(charactersApi.find, { id, signal }),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  })
  const back = useBackTo('/characters', detail.back)
  if (data) return <Editor key={id} character={data} />
  if (!error) return <EditorSkeleton title={texts.edit} back={back} />
  return (
    <Page title={texts.edit} back={back}>
      {isNotFound(error) ? (
        <EmptyState title={detail.notFound} hint={detail.notFoundHint}>
          <Link to={back.to} search={back.search} className={buttonClass({ variant: 'primary' })}>
            {detail.back}
          </Link>
        </EmptyState>
      ) : (
        <Failed what={texts.loadFailed} busy={isFetching} retry={refetch} />
      )}
    </Page>
  )
}

function Editor({ character }: { character: Character }) {
  const { detail, editor: texts } = useMessages().characters
  const language = useLanguage()
  const back = useBackTo('/characters', detail.back)
  const navigate = useNavigate()
  const refused = useRefusal()
  const [names] = useState(() => characterNames(character, language))
  return (
    <EditorScreen
      title={texts.edit}
      back={back}
      entity={`characters/${character._id}`}
      schema={CharacterInput}
      start={character}
      version={character.version}
      links={CHARACTER_LINKS}
      names={names}
      refusal={refused('edit', 'Character', character.createdBy)}
      saved={texts.updated}
      failed={texts.updateFailed}
      save={(body, base, runs) =>
        call(charactersApi.update, {
          id: character._id,
          body: body as CharacterInput,
          runs,
          ...(base !== undefined && { base }),
        })
      }
      onSaved={() => navigate({ to: back.to, search: back.search })}
    />
  )
}
