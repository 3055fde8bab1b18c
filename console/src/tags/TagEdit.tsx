import { type Tag, TagInput, tagsApi } from '@mokuroku/contract/tags'
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
import { parentNames, TAG_LINKS } from './tagNames.ts'

export function TagEdit() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const { back: backTo, editor: texts } = useMessages().tags
  // Always asked anew, and never again while it is being edited: the version is what the change is begun from.
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['edit', tagsApi.find.path, id],
    queryFn: ({ signal }) => call(tagsApi.find, { id, signal }),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  })
  const back = useBackTo('/tags', backTo)
  if (data) return <Editor key={id} tag={data} />
  if (!error) return <EditorSkeleton title={texts.edit} back={back} />
  return (
    <Page title={texts.edit} back={back}>
      {isNotFound(error) ? (
        <EmptyState title={texts.notFound} hint={texts.notFoundHint}>
          <Link to={back.to} search={back.search} className={buttonClass({ variant: 'primary' })}>
            {backTo}
          </Link>
        </EmptyState>
      ) : (
        <Failed what={texts.loadFailed} busy={isFetching} retry={refetch} />
      )}
    </Page>
  )
}

function Editor({ tag }: { tag: Tag }) {
  const { back: backTo, editor: texts } = useMessages().tags
  const language = useLanguage()
  const back = useBackTo('/tags', backTo)
  const navigate = useNavigate()
  const refused = useRefusal()
  const [names] = useState(() => parentNames(language))
  return (
    <EditorScreen
      title={texts.edit}
      back={back}
      entity={`tags/${tag._id}`}
      schema={TagInput}
      start={tag}
      version={tag.version}
      links={TAG_LINKS}
      names={names}
      refusal={refused('edit', 'Tag', tag.createdBy)}
      history={`/tags/${tag._id}/history`}
      saved={texts.updated}
      failed={texts.updateFailed}
      save={(body, base, runs) =>
        call(tagsApi.update, {
          id: tag._id,
          body: body as TagInput,
          runs,
          ...(base !== undefined && { base }),
        })
      }
      onSaved={() => navigate({ to: back.to, search: back.search })}
    />
  )
}
