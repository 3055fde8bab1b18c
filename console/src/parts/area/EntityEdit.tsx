import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AREAS, editorOf, historyOf } from '#lib/areas.ts'
import { DetailFrame } from '#parts/DetailFrame.tsx'
import { LazyMarks } from '#parts/findings/LazyMarks.tsx'
import { EditorScreen, EditorSkeleton } from '#parts/entityEditor/EditorScreen.tsx'
import { createIdNames } from '#parts/jsonEditor/idNames.ts'
import { AreaNeighbours } from './AreaNeighbours.tsx'
import type { Area, NamesOf, Stored } from './area.ts'
import { findToEdit, update } from './calls.ts'
import { useArea } from './useArea.ts'

interface Props {
  area: Area
  namesOf: NamesOf<Stored> | undefined
}

/** Changes a thing. Afterwards the list is shown. */
export function EntityEdit({ area, namesOf, id }: Props & { id: string }) {
  const { texts, back } = useArea(area)
  const { notFound, notFoundHint, editor } = texts
  return (
    <DetailFrame
      query={useQuery(findToEdit(area, id))}
      back={back}
      texts={{ notFound, notFoundHint, failed: editor.loadFailed }}
      pending={<EditorSkeleton title={editor.edit} back={back} height={area.editor.height} />}
    >
      {(entity) => <Editor area={area} namesOf={namesOf} entity={entity} />}
    </DetailFrame>
  )
}

function Editor({ area, namesOf, entity }: Props & { entity: Stored }) {
  const { kind, editor } = area
  const { texts, language, refusals, back } = useArea(area)
  const navigate = useNavigate()
  const [titles] = useState(() => namesOf?.(entity, language) ?? createIdNames(new Map(), {}))
  const id = entity._id
  return (
    <EditorScreen
      title={texts.editor.edit}
      back={back}
      below={<LazyMarks kind={kind} id={id} refusal={refusals.edit(entity)} />}
      beside={<AreaNeighbours area={area} id={id} to={(other) => editorOf(kind, other)} />}
      editor={editor}
      of={{ kind, key: `${AREAS[kind].path.slice(1)}/${id}`, start: { ...entity }, id, version: entity.version }}
      names={titles}
      refusal={refusals.edit(entity)}
      history={AREAS[kind].opens === 'edit' ? historyOf(kind, id) : undefined}
      saved={texts.editor.updated}
      failed={texts.editor.updateFailed}
      hint={texts.editor.hint}
      save={(body, base, runs) => update(area, id, { body, base, runs })}
      onSaved={(saved) => {
        editor.onUpdated?.(saved)
        return navigate({ to: back.to, search: back.search })
      }}
    />
  )
}
