import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { AREAS, screenOf } from '#lib/areas.ts'
import { EditorScreen } from '#parts/entityEditor/EditorScreen.tsx'
import { draftsKey } from '#parts/entityEditor/useDraft.ts'
import { entryNames } from '#parts/jsonEditor/entryNames.ts'
import type { Area, Stored } from './area.ts'
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
  /** Back may return here while the code of the next screen is loading: what is saved then changes this. */
  const made = useRef<Stored>(undefined)
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
        made.current
          ? update(area, made.current._id, { body, base, runs })
          : create(area, body, runs, attempt, { base })
      }
      onSaved={(saved) => {
        made.current = saved
        return AREAS[kind].opens === 'detail'
          ? navigate({ to: screenOf(kind, saved._id) })
          : navigate({ to: back.to, search: back.search })
      }}
    />
  )
}
