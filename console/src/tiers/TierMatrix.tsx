import type { Permissions, Tier } from '@mokuroku/contract/tiers'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, Fragment, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useMe } from '#api/session.ts'
import { useLanguage } from '#i18n/messages.ts'
import { editorOf } from '#lib/areas.ts'
import { count } from '#lib/sizes.ts'
import { guessLanguage } from '#lib/text.ts'
import { isComposing } from '#ui/composing.ts'
import { Muted, Stack } from '#ui/layout.tsx'
import { useGrid } from '#ui/useGrid.ts'
import { useFlagName } from './flagName.ts'
import { tierRefusals } from './rights.ts'
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
  const { at, grid, focus, setAt, onMove } = useGrid(flags.length, tiers.length)
  const { save, isSaving, question } = useSavePermission()
  const [isWriting, setWriting] = useState(false)
  /** Whether the clicked cell had the focus before: the first click only moves the focus. */
  const hadFocus = useRef(false)
  const set = (tier: Tier, flag: string, value: boolean | number) => {
    if (!isSaving) save({ tier, flag, value })
  }
  const act = (tier: Tier, flag: string) => {
    // The reason is shown above the grid.
    if (refusal) return
    if (flag !== SIZE) return set(tier, flag, !permissionOf(tier.permissions, flag))
    setWriting(true)
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
    setWriting(false)
    if (isByKey) focus(at)
    if (size !== undefined && tier && size !== tier.permissions[SIZE]) set(tier, SIZE, size)
  }
  return (
    <Stack gap={3}>
      <Muted as="p">{refusal ?? texts.matrix.hint}</Muted>
      <div className={css.scroll}>
        <table
          ref={grid}
          role="grid"
          aria-label={texts.matrix.label}
          aria-busy={isSaving || undefined}
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
                {tiers.map((tier, column) => {
                  const isCurrent = at.row === row && at.column === column
                  return (
                    <td
                      key={tier._id}
                      data-cell={`${row} ${column}`}
                      tabIndex={isCurrent ? 0 : -1}
                      className={css.cell}
                      data-has={permissionOf(tier.permissions, flag) > 0 || undefined}
                      onFocus={() => !isWriting && setAt({ row, column })}
                      onPointerDown={({ currentTarget }) => {
                        hadFocus.current = document.activeElement === currentTarget
                      }}
                      onClick={() => {
                        focus({ row, column })
                        if (!isWriting && hadFocus.current) act(tier, flag)
                      }}
                    >
                      {flag === SIZE && isCurrent && isWriting ? (
                        <SizeBox
                          label={texts.matrix.size(tier.name)}
                          size={tier.permissions[SIZE]}
                          onEnd={endWriting}
                        />
                      ) : (
                        <Value flag={flag} permissions={tier.permissions} />
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {question}
    </Stack>
  )
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

/** Lines of a name in camel case, such as that of a custom permission, break between its words. */
const breakable = (name: string) =>
  name.split(/(?<=[a-z\d])(?=[A-Z])/).map((word, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {word}
    </Fragment>
  ))

function Value({ flag, permissions }: { flag: string; permissions: Permissions }) {
  const texts = tierTexts.use()
  const language = useLanguage()
  const value = permissionOf(permissions, flag)
  if (flag === SIZE) return <>{texts.megabytes(count(value, language))}</>
  return <>{value > 0 ? texts.yes : texts.no}</>
}

const MAX_SIZE_MB = 10_000

interface SizeProps {
  label: string
  size: number
  /** Called with the new size, or undefined to cancel; `isByKey`: the focus returns to the cell. */
  onEnd: (size: number | undefined, isByKey: boolean) => void
}

/** Field for editing a size. */
function SizeBox({ label, size, onEnd }: SizeProps) {
  const [text, setText] = useState(String(size))
  const box = useRef<HTMLInputElement>(null)
  const ended = useRef(false)
  useEffect(() => box.current?.select(), [])
  const written = Number(text)
  const isValid = text.trim() !== '' && written >= 0 && written <= MAX_SIZE_MB
  const end = (value: number | undefined, isByKey: boolean) => {
    // Removing the field also triggers blur.
    if (ended.current) return
    ended.current = true
    onEnd(value, isByKey)
  }
  return (
    <input
      ref={box}
      type="number"
      min={0}
      max={MAX_SIZE_MB}
      step="any"
      aria-label={label}
      aria-invalid={isValid ? undefined : true}
      value={text}
      className={css.box}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onClick={(event) => event.stopPropagation()}
      onBlur={() => end(isValid ? written : undefined, false)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (isComposing(event.nativeEvent)) return
        if (event.key === 'Escape') end(undefined, true)
        else if (event.key === 'Enter' && isValid) end(written, true)
        else return
        event.preventDefault()
      }}
    />
  )
}
