import type { Tier } from '@mokuroku/contract/tiers'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, Fragment, type KeyboardEvent, useRef, useState } from 'react'
import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import { editorOf } from '#lib/areas.ts'
import { count } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { Muted, Stack } from '#ui/layout.tsx'
import { type Position, useGrid } from '#ui/useGrid.ts'
import { useFlagName } from './flagName.ts'
import { tierRefusals } from './rights.ts'
import { SizeBox } from './SizeBox.tsx'
import { FLAGS, tierTexts } from './texts.ts'
import css from './TierMatrix.module.css'
import { permissionOf } from './permissionOf.ts'
import { useSavePermission } from './useSavePermission.tsx'

const SIZE = 'maxUploadSizeMB'

/**
 * Permissions by tier (ARIA: grid). Arrow keys move; Enter, Space or a click on the focused cell toggles a permission, or
 * edits the size, which Enter saves and Escape cancels.
 */
export function TierMatrix({ tiers }: { tiers: readonly Tier[] }) {
  const texts = tierTexts.use()
  const flagName = useFlagName()
  const me = useMe()
  const refusal = tierRefusals(me).create
  const flags = [
    ...FLAGS,
    ...new Set(tiers.flatMap(({ permissions }) => Object.keys(permissions.customPermissions ?? {}))),
  ]
  const { grid, onKeyDown, questions, ...cells } = useCells(tiers, flags, refusal !== undefined)
  return (
    <Stack gap={3}>
      <Muted as="p">{refusal ?? texts.matrix.hint}</Muted>
      <div className={css.scroll}>
        <table
          ref={grid}
          role="grid"
          aria-label={texts.matrix.label}
          aria-readonly={refusal ? true : undefined}
          className={css.grid}
          style={{ '--columns': tiers.length } as CSSProperties}
          onKeyDown={onKeyDown}
        >
          <Head tiers={tiers} />
          <tbody>
            {flags.map((flag, row) => (
              <tr key={flag}>
                <th scope="row" aria-label={flagName(flag)}>
                  {breakable(flagName(flag))}
                </th>
                {tiers.map((tier, column) => (
                  <Cell key={tier._id} {...{ tier, flag, cells }} position={{ row, column }} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {questions}
    </Stack>
  )
}

/** The current cell, and what changes its permission. */
function useCells(tiers: readonly Tier[], flags: readonly string[], isReadOnly: boolean) {
  const ids = tiers.map(({ _id }) => _id)
  const { at, grid, focus, setAt, onMove } = useGrid(flags, ids)
  const { save, isSaving, questions } = useSavePermission()
  /** The id of the tier whose size is being edited: it may have been deleted since. */
  const [written, setWritten] = useState<string>()
  const isWriting = written !== undefined && ids.includes(written)
  const act = (tier: Tier, flag: string) => {
    // The reason is shown above the grid.
    if (isReadOnly) return
    if (flag !== SIZE) return save({ tier, flag, value: !permissionOf(tier.permissions, flag) })
    setWritten(tier._id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // The links in the head keep their own keys.
    if (isWriting || !(event.target as Element).matches('[data-cell]') || onMove(event)) return
    const [tier, flag] = [tiers[at.column], flags[at.row]]
    if ((event.key !== 'Enter' && event.key !== ' ') || !tier || flag === undefined) return
    event.preventDefault()
    act(tier, flag)
  }
  const endWriting = (size: number | undefined, isByKey: boolean) => {
    const tier = tiers[at.column]
    setWritten(undefined)
    if (isByKey) focus(at)
    if (size !== undefined && tier && size !== tier.permissions[SIZE]) save({ tier, flag: SIZE, value: size })
  }
  return { at, setAt, grid, focus, isWriting, act, onKeyDown, endWriting, isSaving, questions }
}

function Head({ tiers }: { tiers: readonly Tier[] }) {
  const texts = tierTexts.use()
  const language = useLanguage()
  return (
    <thead>
      <tr>
        <th scope="col">{texts.matrix.right}</th>
        {tiers.map((tier) => (
          <th key={tier._id} scope="col" data-inactive={!tier.isActive || undefined}>
            <Link to={editorOf('Tier', tier._id)} lang={guessLanguage(tier.name)} title={tier.name}>
              {tier.name}
            </Link>
            <span className={css.score}>
              {count(tier.requiredScore, language)}
              {!tier.isActive && ` · ${texts.inactive}`}
            </span>
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface CellProps {
  tier: Tier
  flag: string
  position: Position
  cells: Omit<ReturnType<typeof useCells>, 'grid' | 'onKeyDown' | 'questions'>
}

function Cell({ tier, flag, position, cells }: CellProps) {
  const texts = tierTexts.use()
  const language = useLanguage()
  /** Whether the cell had the focus before a click: the first click only moves the focus. */
  const hadFocus = useRef(false)
  const { row, column } = position
  const { at, isWriting } = cells
  const isCurrent = at.row === row && at.column === column
  const value = permissionOf(tier.permissions, flag)
  const shown = flag === SIZE ? texts.megabytes(count(value, language)) : value > 0 ? texts.yes : texts.no
  return (
    <td
      data-cell={`${row} ${column}`}
      tabIndex={isCurrent ? 0 : -1}
      className={css.cell}
      data-has={value > 0 || undefined}
      aria-busy={cells.isSaving(tier, flag) || undefined}
      onFocus={() => !isWriting && cells.setAt(position)}
      onPointerDown={({ currentTarget }) => {
        hadFocus.current = document.activeElement === currentTarget
      }}
      onClick={() => {
        cells.focus(position)
        if (!isWriting && hadFocus.current) cells.act(tier, flag)
      }}
    >
      {flag === SIZE && isCurrent && isWriting ? (
        <SizeBox label={texts.matrix.size(tier.name)} size={value} onEnd={cells.endWriting} />
      ) : (
        shown
      )}
    </td>
  )
}

/** Lines of a name in camel case, such as that of a custom permission, break between its words. */
const breakable = (name: string) =>
  name.split(/(?<=[a-z\d])(?=[A-Z])/).map((word, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {word}
    </Fragment>
  ))
