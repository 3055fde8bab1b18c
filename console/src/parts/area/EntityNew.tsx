import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { AREAS, screenOf } from '#lib/areas.ts'
import { EditorScreen } from '#parts/entityEditor/EditorScreen.tsx'
import { draftsKey } from '#parts/entityEditor/useDraft.ts'
import { entryNames } from '#parts/jsonEditor/entryNames.ts'
import type { Area } from './area.ts'
import { update } from './calls.ts'
import { create } from './create.ts'
import type { AreaOf } from './areaOf.ts'
import { useMakeByName } from './makeByName.ts'
import { useArea } from './useArea.ts'

/** Editor screen for a new entity. After saving, navigates to its detail screen, or to the list if it has none. */
export function EntityNew({ area, areaOf }: { area: Area; areaOf: AreaOf }) {
  const { kind, editor } = area
  const { texts, language, refusals, back } = useArea(area)
  const navigate = useNavigate()
  const makeByName = useMakeByName(areaOf)
  const [start] = useState(editor.start)
  const [titles] = useState(() => entryNames(language))
  return (
    <EditorScreen
      title={texts.editor.new}
      back={back}
      editor={{ ...editor, schema: editor.schemaOfNew ?? editor.schema }}
      edited={{ kind, key: draftsKey(kind, 'new'), start }}
      names={titles}
      makeByName={makeByName}
      refusal={refusals.create}
      saved={texts.editor.created}
      failed={texts.editor.createFailed}
      hint={texts.editor.hintOfNew}
      save={(body, base, runs, attempt) =>
        // Back may have returned here while the code of the next screen was loading: what has been saved is changed.
        base !== undefined && attempt.made
          ? update(area, attempt.made._id, { body, base, runs })
          : create(area, body, runs, attempt, { base })
      }
      onSaved={({ _id }) =>
        AREAS[kind].opens === 'detail'
          ? navigate({ to: screenOf(kind, _id) })
          : navigate({ to: back.to, search: back.search })
      }
    />
  )
}
