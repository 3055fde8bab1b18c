import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMe } from '#api/session.ts'
import { AREAS, editorOf, historyOf } from '#lib/areas.ts'
import { CommentsButton } from '#parts/comments/CommentsButton.tsx'
import { DetailFrame } from '#parts/DetailFrame.tsx'
import { LazyMarks } from '#parts/findings/LazyMarks.tsx'
import { EditorScreen, EditorSkeleton } from '#parts/entityEditor/EditorScreen.tsx'
import { draftsKey, moveDrafts } from '#parts/entityEditor/useDraft.ts'
import { entryNames } from '#parts/jsonEditor/entryNames.ts'
import { AreaNeighbours } from './AreaNeighbours.tsx'
import type { Area, Stored } from './area.ts'
import { findToEdit, read, update } from './calls.ts'
import { EntityHead } from './EntityHead.tsx'
import type { AreaOf } from './areaOf.ts'
import { useMakeByName } from './makeByName.ts'
import { useArea } from './useArea.ts'

interface Props {
  area: Area
  areaOf: AreaOf
}

/** Editor screen of an entity. After saving, navigates to the list. */
export function EntityEdit({ area, areaOf, id }: Props & { id: string }) {
  const { texts, back } = useArea(area)
  const { notFound, notFoundHint, editor } = texts
  return (
    <DetailFrame
      isRestorable
      query={useQuery(findToEdit(area, id))}
      back={back}
      texts={{ notFound, notFoundHint, failed: editor.loadFailed }}
      pending={<EditorSkeleton title={editor.edit} back={back} height={area.editor.height} />}
    >
      {(entity) =>
        entity._id === id ? (
          <Editor area={area} areaOf={areaOf} entity={entity} />
        ) : (
          <Survivor area={area} from={id} into={entity._id} />
        )
      }
    </DetailFrame>
  )
}

/** Redirects from a merged entity to the one it was merged into, with the user's drafts. */
function Survivor({ area: { kind }, from, into }: { area: Area; from: string; into: string }) {
  const { _id: user } = useMe()
  useState(() => moveDrafts(user, draftsKey(kind, from), draftsKey(kind, into)))
  return <Navigate to={editorOf(kind, into)} replace />
}

function Editor({ area, areaOf, entity }: Props & { entity: Stored }) {
  const { kind, editor } = area
  const { texts, language, refusals, back } = useArea(area)
  const navigate = useNavigate()
  const makeByName = useMakeByName(areaOf)
  const [titles] = useState(() => entryNames(language))
  const client = useQueryClient()
  const id = entity._id
  /**
   * The line above the editor shows what is stored now, and so does an editor to which Back leads at once. Once the editor
   * is left, nothing is kept: the next one would show it instead of fetching.
   */
  const keep = (stored: Stored) => client.setQueryData(findToEdit(area, id).queryKey, (shown) => shown && stored)
  const load = async () => {
    const stored = await read(area, id)
    if (stored._id === id) keep(stored)
    return stored
  }
  return (
    <EditorScreen
      title={texts.editor.edit}
      back={back}
      head={<EntityHead area={area} entity={entity} />}
      below={<LazyMarks area={area} entity={entity} refusal={refusals.edit(entity)} />}
      beside={
        <>
          <AreaNeighbours area={area} id={id} to={(other) => editorOf(kind, other)} />
          <CommentsButton kind={kind} id={id} />
        </>
      }
      editor={editor}
      edited={{ kind, key: draftsKey(kind, id), start: { ...entity }, id, version: entity.version }}
      names={titles}
      makeByName={makeByName}
      refusal={refusals.edit(entity)}
      history={AREAS[kind].opens === 'edit' ? historyOf(kind, id) : undefined}
      saved={texts.editor.updated}
      failed={texts.editor.updateFailed}
      hint={texts.editor.hint}
      load={load}
      save={(body, base, runs) => update(area, id, { body, base, runs })}
      onSaved={(saved) => {
        keep(saved)
        editor.onUpdated?.(saved)
        return navigate({ to: back.to, search: back.search })
      }}
    />
  )
}
