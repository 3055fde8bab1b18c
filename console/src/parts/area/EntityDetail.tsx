import { useQuery } from '@tanstack/react-query'
import { Navigate, useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useMessages } from '#i18n/messages.ts'
import { editorOf, screenOf } from '#lib/areas.ts'
import { CommentsButton } from '#parts/comments/CommentsButton.tsx'
import { DetailFrame } from '#parts/DetailFrame.tsx'
import { LazyMarks } from '#parts/findings/LazyMarks.tsx'
import { WithHistory } from '#parts/history/WithHistory.tsx'
import { Button } from '#ui/Button.tsx'
import { Page } from '#ui/Page.tsx'
import { AreaNeighbours } from './AreaNeighbours.tsx'
import type { Area, Detail, Stored } from './area.ts'
import { find } from './calls.ts'
import { EditLink } from './EditLink.tsx'
import { revisedOf } from './revisedOf.ts'
import { useArea } from './useArea.ts'
import { useDeleteEntity } from './useDeleteEntity.tsx'

interface Props {
  area: Area
  detail: Detail<Stored>
  id: string
}

/** Detail screen of an entity, with its history and actions. */
export function EntityDetail({ area, detail, id }: Props) {
  const { texts: own, back } = useArea(area)
  const { notFound, notFoundHint, detail: texts = NO_TEXTS } = own
  return (
    <DetailFrame
      isRestorable
      query={useQuery(find(area, id))}
      back={back}
      texts={{ notFound, notFoundHint, failed: texts.failed }}
      pending={
        <Page
          title={texts.details}
          back={back}
          hero={
            <>
              <h1 className="sr-only">{texts.details}</h1>
              <detail.Skeleton loading={texts.loading} />
            </>
          }
        />
      }
    >
      {(entity) =>
        entity._id === id ? <Found area={area} detail={detail} entity={entity} /> : <Survivor area={area} {...entity} />
      }
    </DetailFrame>
  )
}

/** Redirects from a merged entity to the one it was merged into. */
function Survivor({ area, _id: id }: { area: Area; _id: string }) {
  return <Navigate to={screenOf(area.kind, id)} replace />
}

function Found({ area, detail: { Hero, Body }, entity }: Omit<Props, 'id'> & { entity: Stored }) {
  const { common } = useMessages()
  const { refusals, nameOf, back } = useArea(area)
  const name = nameOf(entity)
  const navigate = useNavigate()
  const { ask, question } = useDeleteEntity(area, () => navigate({ to: back.to, search: back.search }))
  const noEdit = refusals.edit(entity)
  return (
    <Page
      title={name.text}
      lang={name.lang}
      back={back}
      actions={
        <>
          <AreaNeighbours area={area} id={entity._id} to={(id) => screenOf(area.kind, id)} />
          <CommentsButton kind={area.kind} id={entity._id} />
          <Button icon={Trash2} reason={refusals.delete(entity)} onClick={() => ask(entity)}>
            {common.delete}
          </Button>
          <EditLink primary to={editorOf(area.kind, entity._id)} refusal={noEdit} />
        </>
      }
      hero={Hero && <Hero entity={entity} />}
    >
      <WithHistory
        revised={revisedOf(area)}
        id={entity._id}
        refusal={noEdit}
        marks={<LazyMarks area={area} entity={entity} refusal={noEdit} />}
      >
        <Body entity={entity} />
      </WithHistory>
      {question}
    </Page>
  )
}

const NO_TEXTS = { details: '', loading: '', failed: '' }
