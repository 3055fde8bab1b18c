import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AREAS, screenOf } from '#lib/areas.ts'
import { EditorScreen } from '#parts/entityEditor/EditorScreen.tsx'
import { createIdNames } from '#parts/jsonEditor/idNames.ts'
import type { Area, NamesOf, Stored } from './area.ts'
import { create } from './calls.ts'
import { useArea } from './useArea.ts'

/** Makes a thing. Afterwards its own screen is shown, or the list where it has none. */
export function EntityNew({ area, namesOf }: { area: Area; namesOf: NamesOf<Stored> | undefined }) {
  const { kind, editor } = area
  const { texts, language, refusals, back } = useArea(area)
  const navigate = useNavigate()
  const [start] = useState(editor.start)
  const [titles] = useState(() => namesOf?.(undefined, language) ?? createIdNames(new Map(), {}))
  return (
    <EditorScreen
      title={texts.editor.new}
      back={back}
      editor={{ ...editor, schema: editor.schemaOfNew ?? editor.schema }}
      of={{ kind, key: `${AREAS[kind].path.slice(1)}/new`, start }}
      names={titles}
      refusal={refusals.create}
      saved={texts.editor.created}
      failed={texts.editor.createFailed}
      hint={texts.editor.hintOfNew}
      save={(body, _base, runs) => create(area, body, runs)}
      onSaved={({ _id }) =>
        AREAS[kind].opens === 'detail'
          ? navigate({ to: screenOf(kind, _id) })
          : navigate({ to: back.to, search: back.search })
      }
    />
  )
}
