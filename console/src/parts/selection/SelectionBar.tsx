import { MAX_TOTAL } from '@mokuroku/contract/lists'
import { useQuery } from '@tanstack/react-query'
import { Download, X } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import { useLanguage, useMessages } from '#i18n/messages.ts'
import { count } from '#lib/sizes.ts'
import type { Area, List, Rows, Stored } from '#parts/area/area.ts'
import { listRows } from '#parts/area/calls.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { Row } from '#ui/layout.tsx'
import { StickyBar } from '#ui/StickyBar.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import { type BulkAction, useBulkActions } from './actions.ts'
import { BatchOutcome } from './BatchOutcome.tsx'
import { BulkDialog } from './BulkDialog.tsx'
import css from './SelectionBar.module.css'
import { bulkTexts } from './texts.ts'
import { ACTIONS, type Selecting } from './useSelection.ts'
import { useWithoutGone } from './useWithoutGone.ts'

const MergeDialog = lazyOverlay(() => import('#parts/merging/MergeDialog.tsx'), 'MergeDialog')

const ExportDialog = lazyOverlay(() => import('./ExportDialog.tsx'), 'ExportDialog')

/** Name of the export; no bulk action has this name. */
const EXPORT = 'export'

/** How many of the matching entities are named before they are changed. */
const NAMED = 100

interface Props {
  area: Area
  list: List<z.ZodMiniObject, Stored>
  selecting: Selecting
  /** The list's filters in the URL. */
  filters: Record<string, unknown>
  found: Rows<Stored> | undefined
  /** Name of the action whose dialog is open; `ACTIONS` moves the focus to the actions. */
  openAction: string | undefined
  onOpen: (action: string | undefined) => void
}

/** Toolbar for the selection: its size, the available actions, and the outcome of the last one. */
export function SelectionBar({ area, list, selecting, filters, found, openAction, onOpen }: Props) {
  const texts = bulkTexts.use()
  const { common } = useMessages()
  const allActions = useBulkActions(area)
  const [batch, setBatch] = useState<string>()
  const bar = useRef<HTMLElement>(null)
  const { kind, selection, size, clear, cancel } = selecting
  useWithoutGone(selecting)
  const isOpen = size > 0
  const [one, other] = selection.isAll || size !== 2 ? [] : selection.rows
  const actions = allActions.filter(({ type }) => type !== 'merge' || other !== undefined)
  const isTooMany = selection.isAll && found?.isMore === true
  const action = isOpen && !isTooMany ? actions.find(({ name }) => name === openAction) : undefined
  const first = useQuery({
    ...listRows(area, list, { ...filters, page: 1, limit: NAMED }),
    enabled: action !== undefined && selection.isAll,
    meta: { failure: common.somethingFailed },
  })
  useEffect(() => {
    if (openAction !== ACTIONS) return
    bar.current?.querySelector<HTMLElement>('[data-action]')?.focus()
    onOpen(undefined)
  }, [openAction, onOpen])
  if (!isOpen && batch === undefined) return null
  const target = selection.isAll ? { filter: filters } : { ids: selection.rows.map(({ _id }) => _id) }
  return (
    <StickyBar ref={bar} aria-label={texts.bar}>
      {isOpen && (
        <Row wrap className={css.line}>
          <Size selecting={selecting} found={found} />
          <Row gap={2} align="stretch" justify="end" wrap className={css.actions}>
            {actions.map((each) => (
              <Action key={each.name} action={each} isTooMany={isTooMany} onOpen={() => onOpen(each.name)} />
            ))}
            <Button size="small" data-action icon={Download} onClick={() => onOpen(EXPORT)}>
              {texts.export}
            </Button>
            <Suspense>{list.Selected && <list.Selected ids={target.ids} />}</Suspense>
          </Row>
          <IconButton icon={X} label={`${texts.clear} (Esc)`} onClick={cancel} />
        </Row>
      )}
      {batch !== undefined && <BatchOutcome key={batch} id={batch} onClose={() => setBatch(undefined)} />}
      {isOpen && openAction === EXPORT && (
        <Suspense>
          <ExportDialog
            kind={kind}
            fields={Object.keys(area.editor.schema.shape)}
            target={target}
            size={size}
            isMore={isTooMany}
            onClose={() => onOpen(undefined)}
          />
        </Suspense>
      )}
      {action?.type === 'merge' && one && other && (
        <Suspense>
          <MergeDialog
            area={area}
            ids={[one._id, other._id]}
            onClose={() => onOpen(undefined)}
            onMerged={(id) => {
              onOpen(undefined)
              setBatch(id)
              clear()
            }}
          />
        </Suspense>
      )}
      {action && action.type !== 'merge' && (
        <BulkDialog
          kind={kind}
          action={action}
          target={target}
          size={size}
          known={selection.isAll ? (first.data?.rows ?? []) : selection.rows}
          nameOf={area.nameOf}
          onClose={() => onOpen(undefined)}
          onStarted={(id) => {
            onOpen(undefined)
            setBatch(id)
            if (action.type === 'delete') clear()
          }}
        />
      )}
    </StickyBar>
  )
}

function Size({ selecting, found }: Pick<Props, 'selecting' | 'found'>) {
  const texts = bulkTexts.use()
  const language = useLanguage()
  const { selection, size, isPage, togglePage, selectAll } = selecting
  const { total = 0, isMore = false } = found ?? {}
  const number = (value: number, more = false) => `${count(value, language)}${more ? '+' : ''}`
  if (selection.isAll) return <p className={css.size}>{texts.isAll(number(total, isMore))}</p>
  return (
    <div className={css.size}>
      <p>{texts.selected(number(size))}</p>
      {!isPage && (
        <Button size="small" variant="quiet" className={css.page} onClick={togglePage}>
          {texts.page}
        </Button>
      )}
      {total > size && (
        <Button size="small" variant="quiet" onClick={selectAll}>
          {texts.all(number(total, isMore))}
        </Button>
      )}
    </div>
  )
}

interface ActionProps {
  action: BulkAction
  isTooMany: boolean
  onOpen: () => void
}

function Action({ action: { type, label, icon }, isTooMany, onOpen }: ActionProps) {
  const texts = bulkTexts.use()
  const language = useLanguage()
  return (
    <Button
      size="small"
      data-action
      icon={icon}
      title={type === 'addTags' ? `${label} (T)` : label}
      reason={isTooMany ? texts.tooMany(count(MAX_TOTAL, language)) : undefined}
      onClick={onOpen}
    >
      {label}
    </Button>
  )
}
