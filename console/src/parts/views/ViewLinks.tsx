import { TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { type View, viewsApi } from '@mokuroku/contract/views'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { ChevronDown, ChevronRight, Pencil, Users } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { q } from '#api/query.ts'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { guessLanguage } from '#lib/text.ts'
import { IconButton } from '#ui/Button.tsx'
import { FailedLine } from '#ui/FailedLine.tsx'
import { Row, Truncate } from '#ui/layout.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import { useFailure } from '#ui/useFailure.ts'
import { shownView } from './shownView.ts'
import { viewTexts } from './texts.ts'
import css from './Views.module.css'
import { isShown, searchOf } from './viewQuery.ts'

const ViewDialog = lazyOverlay(() => import('./ViewDialog.tsx'), 'ViewDialog')

/** More views than these are folded at first, because they would push the other areas out of sight. */
const MAX_UNFOLDED = 20

interface Props {
  kind: Translated
  /** Called when a view is opened. */
  onChosen: (() => void) | undefined
}

/**
 * Saved views of a kind's list, below its entry in the sidebar; nothing if there are none. That they could not be loaded
 * is said once, below the first kind.
 */
export function ViewLinks({ kind, onChosen }: Props) {
  const texts = viewTexts.use()
  const { kinds } = useMessages()
  const id = useId()
  const [chosen, setFolded] = useState<boolean>()
  const [edited, setEdited] = useState<View>()
  const query = useQuery({ ...q(viewsApi.list), meta: { quiet: true } })
  const failure = useFailure(query)
  const { pathname, search } = useLocation()
  const shown = shownView.use()
  const views = (query.data?.data ?? []).filter(({ entityType }) => entityType === kind)
  const isHere = pathname === AREAS[kind].path
  if (failure && kind === TRANSLATED_KINDS[0])
    return (
      <div className={css.failed}>
        <FailedLine what={texts.failed} failure={failure} query={query} />
      </div>
    )
  if (views.length === 0 && !edited) return undefined
  // As it is stored now: it may have been changed since the dialog was opened. It may also be hidden or deleted.
  const current = views.find(({ _id }) => _id === edited?._id)
  const folded = chosen ?? views.length > MAX_UNFOLDED
  const Icon = folded ? ChevronRight : ChevronDown
  return (
    <>
      <button
        type="button"
        className={css.fold}
        aria-expanded={!folded}
        aria-controls={id}
        onClick={() => setFolded(!folded)}
      >
        <Icon size={14} aria-hidden />
        {texts.count(views.length)}
      </button>
      <ul id={id} hidden={folded} className={css.views} aria-label={texts.views(kinds[kind].list)}>
        {views.map((view) => (
          <ViewRow
            key={view._id}
            view={view}
            isCurrent={isHere && isShown(view, search)}
            onChosen={onChosen}
            onEdit={() => setEdited(view)}
          />
        ))}
      </ul>
      <Suspense>
        {edited && (
          <ViewDialog
            kind={kind}
            view={current ?? edited}
            current={isHere ? shown : undefined}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

interface RowProps {
  view: View
  isCurrent: boolean
  onChosen: (() => void) | undefined
  onEdit: () => void
}

/** A link to a view. Other users' shared views can be opened; the edit button is for those who may change the view. */
function ViewRow({ view, isCurrent, onChosen, onEdit }: RowProps) {
  const texts = viewTexts.use()
  const me = useMe()
  const isOwn = view.createdBy === me._id
  return (
    <Row as="li" className={css.row}>
      <Link
        to={AREAS[view.entityType].path}
        search={searchOf(view)}
        // Exact, so that a view without filters is not current while the list has filters.
        activeOptions={{ exact: true }}
        className={css.link}
        title={view.name}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onChosen}
      >
        <Truncate lang={guessLanguage(view.name)}>{view.name}</Truncate>
        {view.shared && <Users size={12} role="img" aria-label={texts.shared} />}
        {!isOwn && <Truncate className={css.by}>{texts.by(view.username)}</Truncate>}
      </Link>
      {view.canEdit && <IconButton size="small" icon={Pencil} label={texts.edit(view.name)} onClick={onEdit} />}
    </Row>
  )
}
